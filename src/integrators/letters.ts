import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';
import type { Letter } from '../adapters/mail/port.ts';

export type LetterKind = 'otp' | 'sign_in';

const SUBJECTS: Readonly<Record<LetterKind, string>> = {
  otp: 'Your Revenue Rail code',
  sign_in: 'Sign in to Revenue Rail',
};

const folder = fileURLToPath(new URL('letters/', import.meta.url));
const html = new Eta({ views: folder, cache: true });
const text = new Eta({ views: folder, cache: true, autoEscape: false, autoTrim: false });

interface Contents {
  /** Whom to address. */
  readonly name: string;
  /** The code, or the token of the link. */
  readonly secret: string;
  readonly origin: string;
  readonly expiresAt: Date;
}

/** The address that signs in whoever follows it. */
export function consumeUrl(origin: string, token: string): string {
  return `${origin}/v1/login/consume?token=${token}`;
}

/** A letter in both forms. */
export function compose(kind: LetterKind, { name, secret, origin, expiresAt }: Contents): Omit<Letter, 'to'> {
  const subject = SUBJECTS[kind];
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const it = { subject, name, until, ...(kind === 'otp' ? { code: secret } : { link: consumeUrl(origin, secret) }) };
  return { subject, text: text.render(`${kind}.txt.eta`, it), html: html.render(`${kind}.html.eta`, it) };
}
