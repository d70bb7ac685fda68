-- Outside a transaction. The material variances of a span, which few anomalies are.
create index concurrently if not exists anomaly_cash_variance_idx on anomaly (raised_at) where kind = 'cash_variance';
