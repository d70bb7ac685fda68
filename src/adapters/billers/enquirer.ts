import type { PeerOptions } from '../http/peer.ts';
import { type MpesaC2bOptions, openMpesaC2b } from './mpesa-c2b.ts';
import { openOwnForm } from './own-form.ts';
import type { Enquirer } from './port.ts';

/** Options of enquiries at a payment point about transactions. */
export type EnquiryOptions = MpesaC2bOptions | { readonly form: 'rail'; readonly peer: PeerOptions };

/** Opens the way to ask a payment point; `secret` signs what it is asked in the rail's form. */
export function openEnquirer(name: string, options: EnquiryOptions, secret: string | null): Enquirer {
  return options.form === 'rail' ? openOwnForm(name, options.peer, secret) : openMpesaC2b(name, options);
}
