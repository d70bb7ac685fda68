-- Outside a transaction. Where in the stream the events of a span are, which is in the order of time but for few; and its anomalies alone.
create index concurrently if not exists oversight_stream_occurred_at_idx on oversight_stream using brin (occurred_at) with (autosummarize = on);
create index concurrently if not exists oversight_stream_anomaly_idx on oversight_stream (position) where kind = 'anomaly';
