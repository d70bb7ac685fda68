/** Each an operation in this folder, under its name. */
export const LISTS = ['payment-events', 'revenue'] as const;

export type Listed = (typeof LISTS)[number];

export function isListed(what: string): what is Listed {
  return (LISTS as readonly string[]).includes(what);
}
