import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import { withdrawCollection } from '../../payments/enquiries/withdraw.ts';
import { type PayPage, getPayPage } from './find.ts';

/** Withdraws what is under way in other ways than the one that the payer chooses now. The page as it stands then. */
export async function withdrawOthers(call: Call, page: PayPage, channel: Channel | null): Promise<PayPage> {
  const { link, as } = page;
  const others = await as.db.rows<{ name: string }>(sql`
    select name from payment_intent
    where assessment = ${link.assessment} and channel is distinct from ${channel}::channel
      and (link is not null and status in ('Pending', 'Sent') or status = 'Sent') and expires_at > ${as.now()}`);
  if (others.length === 0) return page;
  await Promise.all(others.map(({ name }) => withdrawCollection(as, name)));
  return getPayPage(call);
}
