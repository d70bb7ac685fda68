import { type Account, accountColumns } from '../../../platform/access/account.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { IntegratorStatus } from '../../../generated/prisma/enums.ts';
import { type PaymentLink, linkColumns } from '../find.ts';
import { linkStatusOf } from '../lifecycle.ts';

/** The link that a payer came by. */
export interface OwnLink {
  readonly link: PaymentLink;
  /** True if anything may be paid by it. */
  readonly isOpen: boolean;
  /** The rail itself on behalf of the payer, within the bounds of the account that the payment is made for. */
  readonly as: Call;
}

/** Reads the link that the caller came by. */
export async function readOwnLink(call: Call): Promise<OwnLink> {
  type OfAccount = { readonly [Name in keyof Account]: Account[Name] | null };
  const { link: name } = call.viewer.payer!;
  const row = await call.db.row<PaymentLink & OfAccount & { readonly accountStatus: IntegratorStatus | null }>(sql`
    select ${linkColumns}, ${accountColumns}, i.status as "accountStatus"
    from payment_link r left join integrator i on i.code = r.integrator where r.name = ${name}`);
  const link = row!;
  const account = link.tier === null ? null : (link as Account);
  return {
    link,
    isOpen: linkStatusOf(link, call.now()) === 'Open' && (link.accountStatus ?? 'Active') === 'Active',
    as: { ...call, viewer: { ...actAsSystem(name), account } },
  };
}
