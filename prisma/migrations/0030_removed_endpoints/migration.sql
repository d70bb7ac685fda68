-- Messages that were sent again to endpoints that are removed wait for nobody.
update webhook_delivery d set status = 'dead', next_attempt_at = null, claimed_until = null
from webhook_endpoint e
where e.name = d.endpoint and e.place is null and d.status = 'pending';
