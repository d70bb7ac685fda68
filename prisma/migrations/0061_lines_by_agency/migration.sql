-- Outside a transaction. Who is bound to an agency sees the assessments that have a line of it.
create index concurrently if not exists assessment_line_mda_assessment_idx on assessment_line (mda, assessment);
