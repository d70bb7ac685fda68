import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';
import { pickGreeting } from '../../kernel/text/names.ts';
import type { Attachment, Letter } from '../../adapters/mail/port.ts';

/** Each is called by its template in `letters/`. */
export type LetterKind =
  | 'otp'
  | 'sign_in'
  | 'webhook_off'
  | 'profile_changed'
  | 'live_approved'
  | 'live_refused'
  | 'payer/payment'
  | 'staff/invitation'
  | 'staff/password_reset'
  | 'staff/login_changed'
  | 'staff/account_changed'
  | 'staff/agencies/key'
  | 'staff/alone'
  | 'staff/figures'
  | 'staff/anomalies';

const SUBJECTS: Readonly<Record<LetterKind, string>> = {
  otp: 'Your Revenue Rail code',
  sign_in: 'Sign in to Revenue Rail',
  webhook_off: 'Your webhook endpoint was disabled',
  profile_changed: 'Your account was changed',
  live_approved: 'Your account is live',
  live_refused: 'Your request to go live was refused',
  'payer/payment': 'Your payment',
  'staff/invitation': 'Your invitation to Revenue Rail',
  'staff/password_reset': 'Choose a new password for Revenue Rail',
  'staff/login_changed': 'Your Revenue Rail login was changed',
  'staff/account_changed': 'The collection account of an agency will change',
  'staff/agencies/key': 'A key of an agency takes two operators',
  'staff/alone': 'One person did alone what takes two',
  'staff/figures': 'Figures of Revenue Rail',
  'staff/anomalies': 'Anomalies of Revenue Rail',
};

const folder = fileURLToPath(new URL('letters/', import.meta.url));
const html = new Eta({ views: folder, cache: true });
const text = new Eta({ views: folder, cache: true, autoEscape: false, autoTrim: false });

interface Contents {
  /** Name of the reader, if it is a plain name. */
  readonly name: string;
  /** Sealed content: the code, the token of the link, or the reason. */
  readonly secret: string;
  readonly origin: string;
  /** Integrator that gets the letter; null for one to staff. */
  readonly integrator: string | null;
  readonly expiresAt: Date;
}

/** The figures of a page, as its reader has them written. */
export interface FiguresLetter {
  readonly language: string;
  readonly subject: string;
  readonly title: string;
  readonly about: string;
  readonly figures: readonly { readonly value: string; readonly about: string }[];
  readonly tables: readonly {
    readonly title: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
  /** The path and query of the page. */
  readonly address: string;
  readonly open: string;
  readonly why: string;
  readonly attachments: Attachment[];
}

/** Anomalies that were raised, or are open. */
export interface AnomaliesLetter {
  readonly subject: string;
  readonly about: string;
  readonly groups: readonly {
    readonly title: string;
    readonly lines: readonly string[];
    readonly more: string | null;
  }[];
  /** The path and query of the page that shows them. */
  readonly address: string;
  readonly why: string;
}

/** Letter about a payment to a payer, in their language. */
export interface PayerLetter {
  readonly language: string;
  readonly subject: string;
  readonly said: string;
  /** Address at which the receipt can be checked. */
  readonly link: string | null;
  /** Effect of the link to `stopUrl`. */
  readonly stop: string;
  readonly stopUrl: string;
}

/** The address that signs in the person who follows it. */
export function consumeUrlOf(origin: string, token: string): string {
  return `${origin}/v1/login/consume?token=${token}`;
}

/** Content of a letter, by the names that its templates have for it. */
interface Contained extends Partial<Pick<Letter, 'attachments' | 'subject'>> {
  readonly [name: string]: unknown;
}

/** Content of a letter, from its sealed part. */
const contentsOf: Readonly<Record<LetterKind, (secret: string, origin: string) => Contained>> = {
  otp: (code) => ({ code }),
  sign_in: (token, origin) => ({ link: consumeUrlOf(origin, token) }),
  live_approved: (bounds) => ({ bounds }),
  live_refused: (reason) => ({ reason }),
  profile_changed: (what, origin) => ({ what, link: `${origin}/dashboard` }),
  'payer/payment': (page) => ({ ...(JSON.parse(page) as PayerLetter) }),
  webhook_off: (reason, origin) => ({ reason, link: `${origin}/dashboard` }),
  'staff/invitation': (token, origin) => ({ link: `${origin}/work/invitation?token=${token}` }),
  'staff/password_reset': (token, origin) => ({ link: `${origin}/work/password-reset?token=${token}` }),
  'staff/login_changed': (what) => ({ what }),
  'staff/account_changed': (what, origin) => ({ what, link: `${origin}/console/agencies` }),
  'staff/agencies/key': (what, origin) => ({ what, link: `${origin}/console/agency-keys` }),
  'staff/alone': (what, origin) => ({ what, link: `${origin}/console/audit` }),
  'staff/figures': (page, origin) => {
    const { address, ...figures } = JSON.parse(page) as FiguresLetter;
    return { ...figures, link: `${origin}${address}` };
  },
  'staff/anomalies': (page, origin) => {
    const { address, ...anomalies } = JSON.parse(page) as AnomaliesLetter;
    return { ...anomalies, link: `${origin}${address}` };
  },
};

/** A letter in both forms. */
export function compose(
  kind: LetterKind,
  { name, secret, origin, integrator, expiresAt }: Contents,
): Omit<Letter, 'to'> {
  const contents = contentsOf[kind](secret, origin);
  const { subject = SUBJECTS[kind], attachments } = contents;
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const plain = pickGreeting(name);
  const it = {
    ...contents,
    subject,
    greeting: plain === null ? 'Hello,' : `Hello ${plain},`,
    until,
    integrator,
  };
  return {
    subject,
    text: text.render(`${kind}.txt.eta`, it),
    html: html.render(`${kind}.html.eta`, it),
    ...(attachments && { attachments }),
  };
}
