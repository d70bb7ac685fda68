import { FILES, readGuide } from './files.ts';
import type { Guide } from './markdown.ts';

/** Placeholders in the commands of a lesson, for which their reader has values of their own. */
const WRITTEN = {
  origin: 'http://127.0.0.1:4000',
  key: 'the key of your account',
  services: ['URA-MVTRANSFER', 'MOWT-PSV'],
} as const;

/** A section of the page that comes with the code, for readers who have an account or make one on these pages. */
export function readFirstPayment(): string {
  const section = /^## A first payment\n([^]*?)(?=^## )/m.exec(readGuide(FILES['first-payment']))?.[1];
  const filled = section
    ?.replace(/^RAIL=.*$/m, `$&\nKEY=\${RAIL_KEY:?Set RAIL_KEY to ${WRITTEN.key}}`)
    .replace(/^# An account, [^]*?\n\n/m, '');
  if (!filled?.includes(WRITTEN.key) || filled.includes('signup'))
    throw new Error('README.md has no section "A first payment" that begins with the address and an account');
  const programs = ['ts', 'py'].map((name) => `\`\`\`${name}\n${readGuide(`lessons/first-payment.${name}`)}\`\`\``);
  return `# A first payment\n${filled}## The same in TypeScript and Python\n\n${programs.join('\n\n')}\n`;
}

/** True if somebody works along a page: its commands are those of its reader. */
export const isLesson = (name: unknown): boolean => name === 'first-payment' || name === 'integrators';

/** Reader of the page. */
interface Reader {
  readonly origin: string;
  /** Their key, as far as its owner is shown it. */
  readonly key: { readonly prefix: string; readonly last4: string } | null;
  /** The codes of services that this rail has, for those that a lesson is written with. */
  readonly services: readonly string[];
}

/** Fills a lesson with the rail of its reader, its services, and the key to run it with. */
export function fillIn({ parts }: Guide, { origin, key, services }: Reader): Guide['parts'] {
  const own = new Map<string, string>([
    [WRITTEN.origin, origin],
    ...(key ? [[WRITTEN.key, `your key ${key.prefix}…${key.last4}`] as const] : []),
    ...WRITTEN.services.flatMap((code, index) => {
      const other = services[index];
      return other !== undefined && /^[\w.-]+$/.test(other) ? [[code, other] as const] : [];
    }),
  ]);
  const said = (text: string) =>
    [...own].reduce((filled, [written, theirs]) => filled.replaceAll(written, theirs), text);
  return parts.map((part) =>
    typeof part === 'string'
      ? said(part)
      : part.map(({ name: language, text }) => ({ name: language, text: said(text) })),
  );
}
