"""Art. 10: errors are put right at once; a round that can no longer be is void."""

from __future__ import annotations

from tests.support import audited, hands

VOID = hands("kind:", "KS 6H 9D / KD 7C / void")
"""Player drew on 6: an error, so that the round is rightly void."""


def test_10_every_stake_of_a_void_round_goes_back() -> None:
    bets = "bet,paid\nplayer,100\nbanker,100\ntie,100\nplayer_pair,100\njackpot,100\n"
    assert audited(VOID, bets) == []


def test_10_neither_more_nor_less_than_the_stake() -> None:
    bets = "bet,paid\nplayer,0\nbanker,195\ntie,99.99\nplayer_pair,1200\n"
    assert audited(VOID, bets, show="code bet_id amount") == [
        ("A1001", "1", "-100"),
        ("A1001", "2", "95"),
        ("A1001", "3", "-0.01"),
        ("A1001", "4", "1100"),
    ]


def test_10_a_disposition_does_not_matter_on_a_void_round() -> None:
    bets = "bet,paid,disposition\nplayer,0,carried\njackpot,0,handpay\nbanker,50,cancelled\n"
    assert audited(VOID, bets, show="code amount") == [
        ("A1001", "-100"),
        ("A1001", "-100"),
        ("A1001", "-50"),
    ]


def test_10_an_error_makes_a_round_void_and_no_finding_of_art_9() -> None:
    rounds = hands("kind:", "KS 6H 9D / KD 7C / void", "2S 2H 3D 4C / KD 7C / void")
    assert audited(rounds) == []


def test_10_without_an_error_a_round_is_not_void() -> None:
    rounds = hands(
        "kind:",
        "KS 9H / KD 7C / void",  # whole and lawful
        "2S 3H / KD 7C / void",  # Player's card is still owed
        "KS 6H / 2D 2C / void",  # Banker's card is still owed
        "KS / KD / void",
        "KS 9H / KD / void",
    )
    assert audited(rounds, show="round_no code severity") == [
        (n, "A1002", "notice") for n in range(1, 6)
    ]


def test_10_an_error_in_the_cards() -> None:
    rounds = hands(
        "kind:",
        "2S 3H / KD 2C 5C / void",  # Banker was dealt a card while Player's was owed
        "KS 9H 2D / KD 7C / void",  # Player drew on a natural
        "2S 3H 8D / KD 3C 5C / void",  # Banker, with 3, drew on an 8
        "KS / KD 4C / void",  # out of turn
        "KS 7H / KD 7C 2S 2H / void",
    )
    assert audited(rounds) == []


def test_10_a_void_round_without_cards_says_nothing() -> None:
    assert audited("kind,player_cards,banker_cards,outcome\nvoid,,,player\n") == []
