/** Required kind of server, in the words of PostgreSQL's own clients. */
const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby'] as const;

export type Target = (typeof TARGETS)[number];

/** The address of a database: one for each of the servers that it names, and which of them serve. */
export interface Address {
  readonly urls: readonly string[];
  readonly target: Target;
}

/**
 * Reads an address, which may name several servers as PostgreSQL's own clients allow: `postgresql://a:5432,b:5432/rail`,
 * or `?host=a,b&port=5432,5433`; and `target_session_attrs`. Throws where it is none.
 */
export function parseAddress(text: string): Address {
  if (text.trim() !== text) throw new Error('begins or ends with a blank or a line break');
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(text);
  if (!parts) throw new Error('must be a postgresql:// URL');
  const [, before, authority, after] = parts;
  const urls = authority!.split(',').flatMap((host) => {
    // The host of a Unix socket, as Cloud SQL names them, is among the parameters alone.
    const url = `${before}${host === '' && before!.endsWith('@') ? 'localhost' : host}${after}`;
    if (URL.canParse(url)) return separate(new URL(url));
    const hint = after!.includes('@') ? ': percent-encode /, ? and # in its password, as %2F, %3F and %23' : '';
    throw new Error(`must be a postgresql:// URL${hint}`);
  });
  const [target = 'any'] = urls.map((url) => url.searchParams.get('target_session_attrs') ?? undefined);
  if (!isTarget(target)) throw new Error(`target_session_attrs: must be one of ${TARGETS.join(', ')}`);
  for (const url of urls) url.searchParams.delete('target_session_attrs');
  return { urls: urls.map(String), target };
}

const isTarget = (text: string): text is Target => (TARGETS as readonly string[]).includes(text);

/** One URL for each host that the parameters of one name. */
function separate(url: URL): URL[] {
  const hosts = url.searchParams.get('host')?.split(',') ?? [];
  const ports = url.searchParams.get('port')?.split(',') ?? [];
  if (hosts.length < 2) return [url];
  return hosts.map((host, i) => {
    const one = new URL(url);
    one.searchParams.set('host', host);
    const port = ports[i] ?? ports[0];
    if (port) one.searchParams.set('port', port);
    return one;
  });
}

/** The same address; of several servers the one that takes writes, where it does not say which. */
export function preferWritable(text: string): string {
  if (parseAddress(text).urls.length < 2 || /[?&]target_session_attrs=/.test(text)) return text;
  return `${text}${text.includes('?') ? '&' : '?'}target_session_attrs=read-write`;
}
