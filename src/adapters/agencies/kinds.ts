/** Kinds of agencies, as the registry of endpoints and `CONNECTIONS` call them. */
export const TAX_AUTHORITY = 'tax authority';
export const IDENTITY_AUTHORITY = 'national identity authority';

/** Kinds whose type in the catalogue has another name. */
const OTHERWISE: Readonly<Record<string, string>> = { identity_authority: IDENTITY_AUTHORITY };

/** The kind of agency that a type in the catalogue means: `tax_authority` is a `tax authority`. */
export function kindOf(mdaType: string): string {
  return OTHERWISE[mdaType] ?? mdaType.replaceAll('_', ' ');
}
