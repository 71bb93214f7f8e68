"""A slow, plain second implementation of the audit, written from the contracts alone."""
