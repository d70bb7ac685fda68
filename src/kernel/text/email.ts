import { refuseValue } from '../refusal.ts';
import { z } from '../zod.ts';
import { say } from './said.ts';
import { readTyped } from './typed.ts';

export const LONGEST_ADDRESS = 254;
const mailbox = z.email().max(LONGEST_ADDRESS);

/** An e-mail address, in lower case: how it is stored, and by which it is found. */
export function requireEmail(path: string, value: string): string {
  const parsed = mailbox.safeParse(readTyped(value));
  if (!parsed.success) throw refuseValue(path, say`must be an e-mail address of at most ${LONGEST_ADDRESS} characters`);
  return parsed.data.toLowerCase();
}
