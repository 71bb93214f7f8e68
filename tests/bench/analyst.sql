-- What an analyst would write in an afternoon: draws, totals, winners and payments of a log in
-- Parquet under the law of 64/2007, and nothing else. {log} is its folder, {out} the file of findings.
CREATE OR REPLACE MACRO points(card) AS
    CASE WHEN card IS NULL OR card = '' THEN NULL
         WHEN left(card, 1) IN ('1', 'T', 'J', 'Q', 'K') THEN 0
         WHEN left(card, 1) = 'A' THEN 1
         ELSE CAST(left(card, 1) AS INTEGER) END;

CREATE TEMP TABLE judged AS
WITH cards AS (
    SELECT casino, table_id, shoe_id, round_no, kind, outcome, commission, player_total, banker_total,
        split_part(player_cards, ' ', 1) AS c1, split_part(player_cards, ' ', 2) AS c2,
        split_part(banker_cards, ' ', 1) AS d1, split_part(banker_cards, ' ', 2) AS d2,
        points(split_part(player_cards, ' ', 1)) AS p1, points(split_part(player_cards, ' ', 2)) AS p2,
        points(split_part(player_cards, ' ', 3)) AS p3,
        points(split_part(banker_cards, ' ', 1)) AS b1, points(split_part(banker_cards, ' ', 2)) AS b2,
        points(split_part(banker_cards, ' ', 3)) AS b3
    FROM read_parquet('{log}/rounds/*.parquet')
    WHERE kind IN ('play', 'free', 'demo')
), totals AS (
    SELECT *, (p1 + p2) % 10 AS p_two, (b1 + b2) % 10 AS b_two,
        (p1 + p2 + coalesce(p3, 0)) % 10 AS p_all, (b1 + b2 + coalesce(b3, 0)) % 10 AS b_all
    FROM cards
), drawn AS (
    SELECT *, p_two >= 8 OR b_two >= 8 AS is_natural,
        CASE WHEN p_all > b_all THEN 'player' WHEN b_all > p_all THEN 'banker' ELSE 'tie' END AS winner
    FROM totals
)
SELECT *,
    NOT is_natural AND p_two <= 5 AS player_must,
    NOT is_natural AND CASE
        WHEN p3 IS NULL THEN b_two <= 5
        WHEN b_two <= 2 THEN true
        WHEN b_two = 3 THEN p3 <> 8
        WHEN b_two = 4 THEN p3 BETWEEN 2 AND 7
        WHEN b_two = 5 THEN p3 BETWEEN 4 AND 7
        WHEN b_two = 6 THEN p3 IN (6, 7)
        ELSE false END AS banker_must
FROM drawn;

CREATE TEMP TABLE paid AS
SELECT b.*, j.winner, j.b_all, j.kind,
    CASE b.bet
        WHEN 'player' THEN CASE j.winner WHEN 'player' THEN stake * 2 WHEN 'tie' THEN stake ELSE 0 END
        WHEN 'banker' THEN CASE j.winner WHEN 'tie' THEN stake WHEN 'player' THEN 0
            ELSE CASE WHEN j.commission = 'no_commission'
                THEN CASE WHEN j.b_all = 6 THEN stake * 1.5 ELSE stake * 2 END ELSE stake * 1.95 END END
        WHEN 'tie' THEN CASE WHEN j.winner = 'tie' THEN stake * 9 ELSE 0 END
        WHEN 'player_pair' THEN CASE WHEN left(j.c1, 1) = left(j.c2, 1) THEN stake * 12 ELSE 0 END
        WHEN 'banker_pair' THEN CASE WHEN left(j.d1, 1) = left(j.d2, 1) THEN stake * 12 ELSE 0 END
    END AS due
FROM read_parquet('{log}/bets/*.parquet') b JOIN judged j USING (casino, table_id, shoe_id, round_no)
WHERE b.disposition = 'settled' AND j.kind = 'play';

COPY (
    SELECT 'draw' AS what, casino, table_id, shoe_id, round_no, NULL AS bet_id FROM judged
    WHERE player_must <> (p3 IS NOT NULL) OR banker_must <> (b3 IS NOT NULL)
    UNION ALL
    SELECT 'total', casino, table_id, shoe_id, round_no, NULL FROM judged
    WHERE player_total <> p_all OR banker_total <> b_all
    UNION ALL
    SELECT 'winner', casino, table_id, shoe_id, round_no, NULL FROM judged
    WHERE outcome <> winner
    UNION ALL
    SELECT 'payment', casino, table_id, shoe_id, round_no, bet_id FROM paid WHERE paid <> due
) TO '{out}' (FORMAT parquet);
