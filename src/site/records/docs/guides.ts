import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { FILES, isGuide, readGuide } from './files.ts';
import { readFirstPayment } from './lessons.ts';
import { type Guide, makeGuide } from './markdown.ts';

const made = new Map<string, Guide>();

/** A page of the documentation by its name, as HTML; it is made once. */
export function getGuide(name: unknown): Guide {
  if (!isGuide(name)) throw new Refusal('not_found', say`There is no page at this address`);
  const guide = made.get(name) ?? makeGuide(name === 'first-payment' ? readFirstPayment() : readGuide(FILES[name]));
  made.set(name, guide);
  return guide;
}
