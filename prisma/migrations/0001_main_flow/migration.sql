-- CreateEnum
CREATE TYPE "integrator_status" AS ENUM ('PendingEmail', 'Active', 'Suspended');

-- CreateEnum
CREATE TYPE "integrator_tier" AS ENUM ('sandbox', 'live');

-- CreateEnum
CREATE TYPE "key_status" AS ENUM ('active', 'rolling', 'revoked');

-- CreateEnum
CREATE TYPE "assessment_status" AS ENUM ('Draft', 'Assessed', 'Paid', 'Cancelled');

-- CreateEnum
CREATE TYPE "interaction_mode" AS ENUM ('A', 'B', 'C');

-- CreateEnum
CREATE TYPE "mda_status" AS ENUM ('Active', 'Sandbox', 'Inactive');

-- CreateEnum
CREATE TYPE "service_status" AS ENUM ('Active', 'Inactive');

-- CreateEnum
CREATE TYPE "intent_status" AS ENUM ('Pending', 'Sent', 'Confirmed', 'Failed', 'Expired');

-- CreateEnum
CREATE TYPE "channel" AS ENUM ('mtn_momo', 'airtel_money', 'card', 'cash');

-- CreateEnum
CREATE TYPE "payment_event_kind" AS ENUM ('payment', 'reversal');

-- CreateEnum
CREATE TYPE "anomaly_status" AS ENUM ('Open', 'Resolved');

-- CreateEnum
CREATE TYPE "shift_status" AS ENUM ('Open', 'Closed', 'Cancelled');

-- CreateTable
CREATE TABLE "integrator" (
    "code" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "contact_email" TEXT NOT NULL,
    "organisation" TEXT NOT NULL,
    "tier" "integrator_tier" NOT NULL,
    "pricing_tier" TEXT NOT NULL,
    "status" "integrator_status" NOT NULL,
    "email_verified" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "integrator_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "api_key" (
    "name" TEXT NOT NULL,
    "integrator" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "status" "key_status" NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "daily_usage" (
    "integrator" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "daily_usage_pkey" PRIMARY KEY ("integrator","day")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" UUID NOT NULL,
    "ts" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT NOT NULL,
    "http_status" INTEGER NOT NULL,
    "endpoint" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "integrator" TEXT,
    "key" TEXT,
    "actor" TEXT NOT NULL,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("ts","id")
);

-- CreateTable
CREATE TABLE "idempotency" (
    "principal" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "subject" TEXT,
    "http_status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("principal","key")
);

-- CreateTable
CREATE TABLE "assessment" (
    "name" TEXT NOT NULL,
    "citizen" TEXT NOT NULL,
    "status" "assessment_status" NOT NULL,
    "currency" TEXT NOT NULL,
    "total_amount" DECIMAL(19,4) NOT NULL,
    "line_count" INTEGER NOT NULL,
    "shift" TEXT,
    "integrator" TEXT,
    "cancel_reason" TEXT,
    "revision" INTEGER NOT NULL,
    "assessed_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assessment_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "assessment_line" (
    "assessment" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "service" TEXT NOT NULL,
    "service_name" TEXT NOT NULL,
    "mda" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "rate" DECIMAL(19,4) NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "assessment_line_pkey" PRIMARY KEY ("assessment","idx")
);

-- CreateTable
CREATE TABLE "mda" (
    "name" TEXT NOT NULL,
    "mda_name" TEXT NOT NULL,
    "interaction_mode" "interaction_mode" NOT NULL,
    "country" TEXT NOT NULL,
    "mda_type" TEXT NOT NULL,
    "status" "mda_status" NOT NULL,
    "collection_account" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mda_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "service" (
    "name" TEXT NOT NULL,
    "service_name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "mda" TEXT NOT NULL,
    "sector" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "status" "service_status" NOT NULL,
    "fee_amount" DECIMAL(19,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "citizen" (
    "name" TEXT NOT NULL,
    "nin" TEXT NOT NULL,
    "full_name" TEXT NOT NULL,
    "phone" TEXT,
    "verified" BOOLEAN NOT NULL,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "citizen_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "consent_event" (
    "name" TEXT NOT NULL,
    "citizen" TEXT NOT NULL,
    "mda" TEXT,
    "purpose" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consent_event_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "docname_counter" (
    "series" TEXT NOT NULL,
    "next" BIGINT NOT NULL,

    CONSTRAINT "docname_counter_pkey" PRIMARY KEY ("series")
);

-- CreateTable
CREATE TABLE "payment_intent" (
    "name" TEXT NOT NULL,
    "assessment" TEXT NOT NULL,
    "integrator" TEXT,
    "channel" "channel" NOT NULL,
    "status" "intent_status" NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "aggregator" TEXT NOT NULL,
    "aggregator_reference" TEXT,
    "payer_msisdn" TEXT,
    "failure_reason" TEXT,
    "revision" INTEGER NOT NULL,
    "claimed_by" INTEGER,
    "claimed_at" TIMESTAMPTZ(3),
    "initiated_at" TIMESTAMPTZ(3),
    "confirmed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_intent_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "split_rule" (
    "intent" TEXT NOT NULL,
    "mda" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "split_rule_pkey" PRIMARY KEY ("intent","mda")
);

-- CreateTable
CREATE TABLE "payment_event" (
    "name" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "assessment" TEXT NOT NULL,
    "integrator" TEXT,
    "mda" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "channel" "channel" NOT NULL,
    "kind" "payment_event_kind" NOT NULL,
    "aggregator_reference" TEXT NOT NULL,
    "txn_id" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_event_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "event_seal" (
    "mda" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "event" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_seal_pkey" PRIMARY KEY ("mda","sequence")
);

-- CreateTable
CREATE TABLE "trace_row" (
    "id" BIGSERIAL NOT NULL,
    "assessment" TEXT NOT NULL,
    "intent" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "doc" TEXT,
    "detail" JSONB NOT NULL,

    CONSTRAINT "trace_row_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "anomaly" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mda" TEXT,
    "severity" TEXT NOT NULL,
    "status" "anomaly_status" NOT NULL,
    "subject" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "anomaly_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "inbound_callback" (
    "provider" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "intent" TEXT,
    "decision" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inbound_callback_pkey" PRIMARY KEY ("provider","event_id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "integrator" TEXT,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "counter_shift" (
    "name" TEXT NOT NULL,
    "mda" TEXT NOT NULL,
    "clerk" TEXT NOT NULL,
    "counter_label" TEXT,
    "status" "shift_status" NOT NULL,
    "currency" TEXT NOT NULL,
    "opening_float" DECIMAL(19,4) NOT NULL,
    "opening_notes" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "counter_shift_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "integrator_contact_email_key" ON "integrator"("contact_email");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_integrator_created_at_idx" ON "api_key"("integrator", "created_at" DESC);

-- CreateIndex
CREATE INDEX "audit_log_integrator_ts_id_idx" ON "audit_log"("integrator", "ts" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "idempotency_created_at_idx" ON "idempotency"("created_at");

-- CreateIndex
CREATE INDEX "assessment_integrator_created_at_name_idx" ON "assessment"("integrator", "created_at" DESC, "name" DESC);

-- CreateIndex
CREATE INDEX "assessment_citizen_created_at_name_idx" ON "assessment"("citizen", "created_at" DESC, "name" DESC);

-- CreateIndex
CREATE INDEX "assessment_shift_idx" ON "assessment"("shift");

-- CreateIndex
CREATE INDEX "assessment_line_service_idx" ON "assessment_line"("service");

-- CreateIndex
CREATE UNIQUE INDEX "service_code_key" ON "service"("code");

-- CreateIndex
CREATE INDEX "service_mda_name_idx" ON "service"("mda", "name");

-- CreateIndex
CREATE UNIQUE INDEX "citizen_nin_key" ON "citizen"("nin");

-- CreateIndex
CREATE INDEX "citizen_created_at_name_idx" ON "citizen"("created_at" DESC, "name" DESC);

-- CreateIndex
CREATE INDEX "citizen_phone_idx" ON "citizen"("phone");

-- CreateIndex
CREATE INDEX "payment_intent_assessment_idx" ON "payment_intent"("assessment");

-- CreateIndex
CREATE UNIQUE INDEX "payment_intent_aggregator_aggregator_reference_key" ON "payment_intent"("aggregator", "aggregator_reference");

-- CreateIndex
CREATE INDEX "payment_event_integrator_created_at_name_idx" ON "payment_event"("integrator", "created_at" DESC, "name" DESC);

-- CreateIndex
CREATE INDEX "payment_event_mda_created_at_name_idx" ON "payment_event"("mda", "created_at" DESC, "name" DESC);

-- CreateIndex
CREATE INDEX "payment_event_created_at_name_idx" ON "payment_event"("created_at" DESC, "name" DESC);

-- CreateIndex
CREATE INDEX "payment_event_assessment_idx" ON "payment_event"("assessment");

-- CreateIndex
CREATE UNIQUE INDEX "payment_event_intent_mda_kind_key" ON "payment_event"("intent", "mda", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "event_seal_event_key" ON "event_seal"("event");

-- CreateIndex
CREATE INDEX "trace_row_assessment_at_id_idx" ON "trace_row"("assessment", "at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "anomaly_kind_subject_key" ON "anomaly"("kind", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_callback_provider_body_hash_key" ON "inbound_callback"("provider", "body_hash");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_object_sequence_key" ON "outbox"("object", "sequence");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_integrator_fkey" FOREIGN KEY ("integrator") REFERENCES "integrator"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assessment" ADD CONSTRAINT "assessment_citizen_fkey" FOREIGN KEY ("citizen") REFERENCES "citizen"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assessment_line" ADD CONSTRAINT "assessment_line_assessment_fkey" FOREIGN KEY ("assessment") REFERENCES "assessment"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service" ADD CONSTRAINT "service_mda_fkey" FOREIGN KEY ("mda") REFERENCES "mda"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_intent" ADD CONSTRAINT "payment_intent_assessment_fkey" FOREIGN KEY ("assessment") REFERENCES "assessment"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "split_rule" ADD CONSTRAINT "split_rule_intent_fkey" FOREIGN KEY ("intent") REFERENCES "payment_intent"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_event" ADD CONSTRAINT "payment_event_intent_fkey" FOREIGN KEY ("intent") REFERENCES "payment_intent"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_seal" ADD CONSTRAINT "event_seal_event_fkey" FOREIGN KEY ("event") REFERENCES "payment_event"("name") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma's schema cannot say: the invariants that hold whatever the code above does.

-- Amounts and counts.
alter table service add constraint service_fee_not_negative check (fee_amount >= 0);
alter table assessment add constraint assessment_total_not_negative check (total_amount >= 0);
alter table assessment add constraint assessment_line_count check (line_count between 1 and 100);
alter table assessment_line add constraint line_quantity check (quantity between 1 and 10000);
alter table assessment_line add constraint line_amount check (amount = rate * quantity);
alter table payment_intent add constraint intent_amount_positive check (amount > 0);
alter table split_rule add constraint split_amount_positive check (amount > 0);
alter table payment_event add constraint event_sign check ((kind = 'payment' and amount > 0) or (kind = 'reversal' and amount < 0));

-- A state and the time at which it was entered go together.
alter table assessment add constraint assessment_times check (
  (status <> 'Assessed' or assessed_at is not null) and (status <> 'Paid' or paid_at is not null) and ((status = 'Cancelled') = (cancelled_at is not null))
);
alter table payment_intent add constraint intent_times check (
  (status <> 'Sent' or initiated_at is not null) and ((status = 'Confirmed') = (confirmed_at is not null))
);
alter table payment_intent add constraint intent_reference check (status not in ('Sent', 'Confirmed') or aggregator_reference is not null);

-- Documents that are named elsewhere exist.
alter table assessment_line add constraint line_service_exists foreign key (service) references service (name);
alter table assessment_line add constraint line_mda_exists foreign key (mda) references mda (name);
alter table assessment add constraint assessment_shift_exists foreign key (shift) references counter_shift (name);
alter table assessment add constraint assessment_integrator_exists foreign key (integrator) references integrator (code);
alter table split_rule add constraint split_mda_exists foreign key (mda) references mda (name);
alter table payment_event add constraint event_split_exists foreign key (intent, mda) references split_rule (intent, mda);
alter table counter_shift add constraint shift_mda_exists foreign key (mda) references mda (name);
alter table consent_event add constraint consent_citizen_exists foreign key (citizen) references citizen (name);

-- One Open shift a clerk and agency.
create unique index counter_shift_one_open on counter_shift (clerk, mda) where status = 'Open';

-- What the sweep for overdue intents reads.
create index payment_intent_overdue on payment_intent (expires_at) where status in ('Pending', 'Sent');

-- Proof, trace and audit are only ever added to.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete or truncate on payment_event for each statement execute function refuse_rewriting();
create trigger append_only before update or delete or truncate on trace_row for each statement execute function refuse_rewriting();
create trigger append_only before update or delete or truncate on audit_log for each statement execute function refuse_rewriting();
create trigger append_only before update or delete or truncate on event_seal for each statement execute function refuse_rewriting();
create trigger append_only before update or delete or truncate on consent_event for each statement execute function refuse_rewriting();

-- The lines of an assessment add up to its total; once it is Assessed neither changes.
create function check_assessment_total() returns trigger language plpgsql as $$
declare
  counted record;
begin
  select coalesce(sum(amount), 0) as total, count(*) as lines into counted from assessment_line where assessment = new.name;
  if counted.lines <> new.line_count or counted.total <> new.total_amount then
    raise exception 'assessment % does not equal its lines', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger assessment_equals_lines after insert on assessment
  deferrable initially deferred for each row execute function check_assessment_total();
create constraint trigger assessment_still_equals_lines after update of total_amount, line_count on assessment
  deferrable initially deferred for each row
  when ((old.total_amount, old.line_count) is distinct from (new.total_amount, new.line_count)) execute function check_assessment_total();

create function refuse_thawing() returns trigger language plpgsql as $$
begin
  if old.status <> 'Draft' and (new.total_amount, new.currency, new.line_count) is distinct from (old.total_amount, old.currency, old.line_count) then
    raise exception 'the total of assessment % is frozen', old.name using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger assessment_frozen before update of total_amount, currency, line_count on assessment for each row execute function refuse_thawing();

-- The splits of an intent add up to its amount.
create function check_intent_splits() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount), 0) from split_rule where intent = new.name) <> new.amount then
    raise exception 'the splits of % do not equal its amount', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger intent_equals_splits after insert on payment_intent
  deferrable initially deferred for each row execute function check_intent_splits();

-- A Confirmed intent has one payment event a split, of that split's amount; any other has none.
create function check_intent_events() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select mda, amount from split_rule where intent = new.name) s
    full join (select mda, amount from payment_event where intent = new.name and kind = 'payment') e using (mda)
    where s.amount is distinct from e.amount
  ) then
    raise exception 'the events of % do not equal its splits', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger intent_equals_events after update of status on payment_intent
  deferrable initially deferred for each row when (new.status = 'Confirmed') execute function check_intent_events();

create function check_event_is_confirmed() returns trigger language plpgsql as $$
begin
  if (select status from payment_intent where name = new.intent) <> 'Confirmed' then
    raise exception 'event % belongs to an intent that is not Confirmed', new.name using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger event_of_confirmed_intent after insert on payment_event
  deferrable initially deferred for each row execute function check_event_is_confirmed();

-- A Draft shows current prices: a changed fee reaches every Draft with the change itself.
create function reprice_drafts() returns trigger language plpgsql as $$
begin
  update assessment_line l set rate = new.fee_amount, amount = new.fee_amount * l.quantity
    from assessment a where l.service = new.name and a.name = l.assessment and a.status = 'Draft';
  update assessment a set revision = a.revision + 1, updated_at = now(),
      total_amount = (select sum(amount) from assessment_line l where l.assessment = a.name)
    where a.status = 'Draft' and exists (select from assessment_line l where l.assessment = a.name and l.service = new.name);
  return null;
end $$;
create trigger drafts_follow_fees after update of fee_amount on service
  for each row when (old.fee_amount is distinct from new.fee_amount) execute function reprice_drafts();
