-- Outside a transaction. The shifts that an agency closed in a span, and where in the stream an anomaly is that was found by its agency or its time.
create index concurrently if not exists counter_shift_mda_closed_at_idx on counter_shift (mda, closed_at) where closed_at is not null;
create index concurrently if not exists oversight_stream_anomaly_subject_idx on oversight_stream (subject) include (position) where kind = 'anomaly';
