-- Outside a transaction. An agency has two rows of an assessment now: of its payment, and of the reversal. Those rejected are few, and looked for.
create unique index concurrently if not exists propagation_assessment_mda_kind_key on propagation (assessment, mda, kind);
drop index concurrently if exists propagation_assessment_mda_key;
create index concurrently if not exists propagation_rejected_idx on propagation (created_at desc, name desc) where status = 'rejected';
