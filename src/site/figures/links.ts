/** Parameters for the position in a list; another view of it begins again. */
const PAGING = ['first', 'after', 'last', 'before', 'later', 'done'];

/** Changes of an address; null removes a parameter. */
export type Changes = Readonly<Record<string, string | null>>;

/** An address with something else in its query. */
export function linkTo(path: string, query: URLSearchParams, changes: Changes): string {
  const changed = new URLSearchParams(query);
  for (const name of PAGING) changed.delete(name);
  for (const [name, value] of Object.entries(changes))
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  for (const name of new Set(changed.keys())) if (changed.get(name) === '') changed.delete(name);
  const said = changed.toString();
  return said === '' ? path : `${path}?${said}`;
}
