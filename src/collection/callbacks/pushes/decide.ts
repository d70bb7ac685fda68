import type { Call } from '../../../platform/call/call.ts';
import { recordFiscalDocument } from '../../fiscal/record.ts';
import { acknowledgeNotice, rejectNotice } from '../../propagation/acknowledge.ts';
import { findNoticeOf } from '../../propagation/find.ts';
import { type Decided, type StoreDecision, UNKNOWN } from './decisions.ts';
import { flagBill } from './flag-bill.ts';
import { flagIdentity } from './flag-identity.ts';
import type { PushEvent } from './push-event.ts';
import type { Speaker } from './speaker.ts';

/** Does what a push is for, and stores the decision with it. Undefined: someone was faster, read again. */
export async function decidePush(
  call: Call,
  { name, agencies }: Speaker,
  { type, object, data, eventId }: PushEvent,
  store: StoreDecision,
): Promise<Decided | undefined> {
  switch (type) {
    case 'receipt.issued': {
      const notice = await findNoticeOf(call, object, agencies);
      return notice ? acknowledgeNotice(call, notice, { receipt: data.receipt_number, eventId }, store) : UNKNOWN;
    }
    case 'notice.rejected': {
      const notice = await findNoticeOf(call, object, agencies);
      return notice ? rejectNotice(call, notice, { reason: data.reason, eventId }, store) : UNKNOWN;
    }
    case 'bill.changed':
      return flagBill(call, agencies, { object, data, eventId }, store);
    case 'identity.changed':
      return flagIdentity(call, { object, data, eventId }, store);
    case 'fiscal.document':
      return recordFiscalDocument(call, { issuer: name, agencies }, { object, ...data, eventId }, store);
  }
}
