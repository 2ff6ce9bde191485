-- Money, in whole millicredits (one credit is a hundredth of the currency unit). Allowances are credits of a calendar
-- month (UTC) and start anew with it; the wallet is prepaid and stays.

ALTER TABLE "organizations" ADD CONSTRAINT "organizations_plan_check" CHECK ("plan" IN ('free', 'pro', 'max', 'enterprise'));

-- One per organization. `used_mc` counts within the month that begins at `period`, and is 0 in any later one.
CREATE TABLE "credit_accounts" (
    "organization_id" UUID NOT NULL,
    "period" DATE NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC'),
    "used_mc" BIGINT NOT NULL DEFAULT 0,
    "reserved_mc" BIGINT NOT NULL DEFAULT 0,
    "wallet_mc" BIGINT NOT NULL DEFAULT 0,
    "is_overage_enabled" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "credit_accounts_pkey" PRIMARY KEY ("organization_id"),
    CONSTRAINT "credit_accounts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "credit_accounts_not_negative" CHECK ("used_mc" >= 0 AND "reserved_mc" >= 0 AND "wallet_mc" >= 0)
) WITH (fillfactor = 50);
INSERT INTO "credit_accounts" ("organization_id") SELECT "id" FROM "organizations";

CREATE FUNCTION "organizations_have_accounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO credit_accounts (organization_id) VALUES (NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER "organizations_have_accounts" AFTER INSERT ON "organizations" FOR EACH ROW EXECUTE FUNCTION "organizations_have_accounts"();

-- What is held back for work under way. The subject is a run, which holds it while it is running, or any other piece of
-- work, which holds it until `expires_at` at the longest.
CREATE TABLE "credit_reservations" (
    "subject_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "amount_mc" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "credit_reservations_pkey" PRIMARY KEY ("subject_id"),
    CONSTRAINT "credit_reservations_amount_check" CHECK ("amount_mc" > 0)
);
CREATE INDEX "credit_reservations_created_at_idx" ON "credit_reservations"("created_at");

-- What was used: per step of a run, model and account. Charged once, when its subject ends.
CREATE TABLE "credit_usage" (
    "subject_id" UUID NOT NULL,
    "step_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "is_byok" BOOLEAN NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "credits_mc" BIGINT NOT NULL,
    "is_settled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    CONSTRAINT "credit_usage_pkey" PRIMARY KEY ("subject_id", "step_id", "model", "is_byok"),
    CONSTRAINT "credit_usage_byok_is_free" CHECK ("credits_mc" >= 0 AND ("credits_mc" = 0 OR NOT "is_byok"))
);
CREATE INDEX "credit_usage_organization_id_created_at_idx" ON "credit_usage"("organization_id", "created_at");
CREATE INDEX "credit_usage_unsettled_idx" ON "credit_usage"("created_at") WHERE NOT "is_settled";

-- Every movement of a wallet. Nothing else moves one: the balance is a consequence of the entries.
CREATE TABLE "wallet_ledger" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "amount_mc" BIGINT NOT NULL,
    "balance_mc" BIGINT NOT NULL,
    "reference" TEXT,
    "extra_metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "wallet_ledger_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "wallet_ledger_kind_check" CHECK ("kind" IN ('topup', 'usage', 'adjustment')),
    CONSTRAINT "wallet_ledger_sign_check" CHECK (CASE "kind" WHEN 'topup' THEN "amount_mc" > 0 WHEN 'usage' THEN "amount_mc" < 0 ELSE "amount_mc" <> 0 END)
);
CREATE INDEX "wallet_ledger_organization_id_created_at_id_idx" ON "wallet_ledger"("organization_id", "created_at" DESC, "id" DESC);
-- A payment is credited once, however often its provider tells of it.
CREATE UNIQUE INDEX "wallet_ledger_kind_reference_key" ON "wallet_ledger"("kind", "reference");

CREATE FUNCTION "wallet_ledger_moves_wallet"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE credit_accounts SET wallet_mc = wallet_mc + NEW.amount_mc WHERE organization_id = NEW.organization_id
    RETURNING wallet_mc INTO STRICT NEW.balance_mc;
    -- Under the account's lock: the entries of a wallet are in the order of their times.
    NEW.created_at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER "wallet_ledger_moves_wallet" BEFORE INSERT ON "wallet_ledger" FOR EACH ROW EXECUTE FUNCTION "wallet_ledger_moves_wallet"();

CREATE FUNCTION "wallet_ledger_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger of a wallet is append-only';
END $$;
CREATE TRIGGER "wallet_ledger_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "wallet_ledger" FOR EACH STATEMENT EXECUTE FUNCTION "wallet_ledger_is_append_only"();

-- As before, and `used`: what the full subject (or, when admitted, the first) has in its window. Waits for a locked
-- window a second at the most: its callers can go on without an answer, a client cannot.
DROP FUNCTION "rl_take"(TEXT[], INTEGER[]);
CREATE FUNCTION "rl_take"(subjects TEXT[], limits INTEGER[], OUT exhausted INTEGER, OUT remaining INTEGER, OUT retry_after INTEGER, OUT used INTEGER)
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
    windows rate_windows[];
    w rate_windows;
    now_second BIGINT;
    counted INTEGER;
    excess INTEGER;
    slot INTEGER;
BEGIN
    INSERT INTO rate_windows (subject)
    SELECT s FROM unnest(subjects) AS s
    WHERE NOT EXISTS (SELECT 1 FROM rate_windows r WHERE r.subject = s)
    ORDER BY s ON CONFLICT DO NOTHING;
    PERFORM 1 FROM rate_windows r WHERE r.subject = ANY (subjects) ORDER BY r.subject FOR UPDATE;

    exhausted := 0;
    retry_after := 0;
    -- Read after the locks, so that time never runs backwards within a row.
    now_second := floor(extract(epoch FROM clock_timestamp()));
    FOR i IN 1 .. array_length(subjects, 1) LOOP
        SELECT * INTO w FROM rate_windows r WHERE r.subject = subjects[i];
        -- Against a clock that was set back.
        now_second := greatest(now_second, w.newest);
        FOR back IN 0 .. least(60, now_second - w.newest - 1)::integer LOOP
            w.counts[(1 + (now_second - back) % 61)::integer] := 0;
        END LOOP;
        w.newest := now_second;
        SELECT coalesce(sum(c), 0) INTO counted FROM unnest(w.counts) AS c;
        IF counted >= limits[i] THEN
            exhausted := i;
            remaining := 0;
            used := counted;
            -- The oldest seconds leave first; enough of them must, for one more to fit.
            excess := counted - limits[i] + 1;
            FOR back IN REVERSE 60 .. 0 LOOP
                excess := excess - w.counts[(1 + (now_second - back) % 61)::integer];
                retry_after := 61 - back;
                EXIT WHEN excess <= 0;
            END LOOP;
            RETURN;
        END IF;
        IF i = 1 THEN
            remaining := limits[i] - counted - 1;
            used := counted + 1;
        END IF;
        slot := 1 + now_second % 61;
        w.counts[slot] := w.counts[slot] + 1;
        windows := windows || w;
    END LOOP;

    FOREACH w IN ARRAY windows LOOP
        UPDATE rate_windows r SET counts = w.counts, newest = w.newest WHERE r.subject = w.subject;
    END LOOP;
END $$;

-- The admission gate: credits first, then the run rate. A null `monthly` is an unlimited allowance, a null `run_rate`
-- an unlimited rate. `refusal` is null when admitted, and then the reservation stands; else nothing does.
CREATE FUNCTION "admit"(
    subject UUID, organization UUID, amount BIGINT, monthly BIGINT, is_paid BOOLEAN, run_rate INTEGER, lease_seconds INTEGER,
    OUT refusal TEXT, OUT current_value BIGINT, OUT limit_value BIGINT, OUT retry_after INTEGER)
LANGUAGE plpgsql AS $$
DECLARE
    month DATE := date_trunc('month', now() AT TIME ZONE 'UTC');
    account credit_accounts;
    rate RECORD;
BEGIN
    IF monthly IS NOT NULL THEN
        UPDATE credit_accounts a SET reserved_mc = a.reserved_mc + amount
        WHERE a.organization_id = organization
          AND greatest(0, monthly - CASE WHEN a.period = month THEN a.used_mc ELSE 0 END)
            + CASE WHEN is_paid AND a.is_overage_enabled THEN a.wallet_mc ELSE 0 END
            - a.reserved_mc >= amount;
        IF NOT FOUND THEN
            SELECT * INTO account FROM credit_accounts a WHERE a.organization_id = organization;
            IF is_paid AND account.is_overage_enabled THEN
                refusal := 'wallet_insufficient';
                current_value := account.wallet_mc;
            ELSE
                refusal := CASE WHEN is_paid THEN 'wallet_overage_disabled' ELSE 'credit_plan_exhausted' END;
                current_value := account.reserved_mc + CASE WHEN account.period = month THEN account.used_mc ELSE 0 END;
                limit_value := monthly;
            END IF;
            RETURN;
        END IF;
        INSERT INTO credit_reservations (subject_id, organization_id, amount_mc, expires_at)
        VALUES (subject, organization, amount, now() + make_interval(secs => lease_seconds));
    END IF;
    IF run_rate IS NOT NULL THEN
        SELECT * INTO rate FROM rl_take(ARRAY['sync_exec:' || organization], ARRAY[run_rate]);
        IF rate.exhausted > 0 THEN
            -- "credit reservation released first" (specification, "Limits")
            IF monthly IS NOT NULL THEN
                DELETE FROM credit_reservations r WHERE r.subject_id = subject;
                UPDATE credit_accounts a SET reserved_mc = a.reserved_mc - amount WHERE a.organization_id = organization;
            END IF;
            refusal := 'rate_limit_exceeded';
            current_value := rate.used;
            limit_value := run_rate;
            retry_after := rate.retry_after;
        END IF;
    END IF;
END $$;

-- Ends subjects: releases what they reserved and charges what they used, each once, whoever asks how often. The month's
-- allowance pays first, then the wallet of a paid plan with overage on, as far as it goes; the rest is used beyond the
-- allowance. Locks accounts after everything else: call it last. `plans` is the table of billing/plans.ts.
CREATE FUNCTION "settle_credits"(subjects UUID[], plans JSONB) RETURNS VOID LANGUAGE plpgsql STRICT AS $$
DECLARE
    month DATE := date_trunc('month', now() AT TIME ZONE 'UTC');
    due RECORD;
    terms RECORD;
    account credit_accounts;
    used BIGINT;
    from_wallet BIGINT;
BEGIN
    FOR due IN
        WITH released AS (
            DELETE FROM credit_reservations r WHERE r.subject_id = ANY (subjects) RETURNING r.organization_id, r.amount_mc
        ), metered AS (
            UPDATE credit_usage u SET is_settled = true WHERE u.subject_id = ANY (subjects) AND NOT u.is_settled
            RETURNING u.organization_id, u.subject_id, u.credits_mc
        )
        SELECT d.organization_id, sum(d.released) AS released, sum(d.charged) AS charged,
               array_agg(DISTINCT d.subject_id) FILTER (WHERE d.charged > 0) AS charged_subjects
        FROM (SELECT organization_id, amount_mc AS released, 0::bigint AS charged, NULL::uuid AS subject_id FROM released
              UNION ALL SELECT organization_id, 0, credits_mc, subject_id FROM metered) AS d
        GROUP BY d.organization_id HAVING sum(d.released) + sum(d.charged) > 0
        ORDER BY d.organization_id
    LOOP
        SELECT * INTO account FROM credit_accounts a WHERE a.organization_id = due.organization_id FOR NO KEY UPDATE;
        CONTINUE WHEN NOT FOUND;
        SELECT o.plan <> 'free' AS is_paid, 1000 * ((plans->o.plan || o.entitlements)->>'monthly_credits')::bigint AS monthly
        INTO terms FROM organizations o WHERE o.id = due.organization_id;
        used := CASE WHEN account.period >= month THEN account.used_mc ELSE 0 END;
        from_wallet := 0;
        IF terms.is_paid AND terms.monthly IS NOT NULL AND account.is_overage_enabled THEN
            from_wallet := least(account.wallet_mc, greatest(0, used + due.charged - greatest(used, terms.monthly)));
        END IF;
        UPDATE credit_accounts a
        SET period = greatest(account.period, month), used_mc = used + due.charged - from_wallet,
            reserved_mc = a.reserved_mc - due.released
        WHERE a.organization_id = due.organization_id;
        IF from_wallet > 0 THEN
            INSERT INTO wallet_ledger (organization_id, kind, amount_mc, extra_metadata)
            VALUES (due.organization_id, 'usage', -from_wallet, jsonb_build_object('run_pks', due.charged_subjects));
        END IF;
    END LOOP;
END $$;
