/** A request as programs make it. */
export interface Request {
  readonly method: string;
  readonly url: string;
  /** Body to send: a value as JSON, or text as it is. */
  readonly body?: unknown;
  /** The media type of the body. */
  readonly media: string;
  /** True if it is sent with a key. */
  readonly keyed: boolean;
  /** True if it is sent with a key of its own, so that repeating it changes nothing more. */
  readonly repeatable: boolean;
}

/** A program in a language. */
export interface Sample {
  readonly name: string;
  readonly text: string;
}

/** The same request in each language that is shown. The key is in the variable `RAIL_KEY` of the environment. */
export function samplesOf(request: Request): Sample[] {
  return [
    { name: 'curl', text: curl(request) },
    { name: 'TypeScript', text: typescript(request) },
    { name: 'Python', text: python(request) },
  ];
}

const isText = (body: unknown): body is string => typeof body === 'string';

/** Text in the quotes of a shell. */
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

function curl({ method, url, body, media, keyed, repeatable }: Request): string {
  const lines = [
    `curl${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} ${shell(url)}`,
    keyed && `-H "Authorization: Bearer $RAIL_KEY"`,
    repeatable && `-H "Idempotency-Key: $(uuidgen)"`,
    body !== undefined && `-H ${shell(`Content-Type: ${media}`)}`,
    body !== undefined && `--data-binary ${shell(isText(body) ? body : JSON.stringify(body, null, 2))}`,
  ];
  return lines.filter(Boolean).join(' \\\n  ');
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function typescript({ method, url, body, media, keyed, repeatable }: Request): string {
  const headers = [
    keyed && 'authorization: `Bearer ${env.RAIL_KEY}`',
    repeatable && "'idempotency-key': crypto.randomUUID()",
    body !== undefined && `'content-type': ${quoted(media)}`,
  ].filter(Boolean);
  const options = [
    method !== 'GET' && `method: ${quoted(method)}`,
    headers.length > 0 && `headers: { ${headers.join(', ')} }`,
    body !== undefined &&
      `body: ${isText(body) ? quoted(body) : `JSON.stringify(${indent(JSON.stringify(body, null, 2), '  ')})`}`,
  ].filter(Boolean);
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${String(option)},\n`).join('')}}`;
  return `${keyed ? "import { env } from 'node:process';\n\n" : ''}const answer = await fetch(${quoted(url)}${given});
console.log(answer.status, await answer.json());`;
}

/** A value as Python writes it. */
function literal(value: unknown, by = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${by}    `;
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${literal(one, inner)},\n`)
    : Object.entries(value).map(([name, one]) => `${inner}${quoted(name)}: ${literal(one, inner)},\n`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join('')}${by}${close}`;
}

function python({ method, url, body, media, keyed, repeatable }: Request): string {
  const headers = [
    keyed && `'Authorization': f"Bearer {os.environ['RAIL_KEY']}"`,
    repeatable && "'Idempotency-Key': str(uuid.uuid4())",
    body !== undefined && `'Content-Type': ${quoted(media)}`,
  ].filter(Boolean);
  const data = isText(body) ? `${quoted(body)}.encode()` : `json.dumps(${literal(body, '    ')}).encode()`;
  const options = [
    quoted(url),
    method !== 'GET' && `method=${quoted(method)}`,
    headers.length > 0 && `headers={${headers.join(', ')}}`,
    body !== undefined && `data=${data}`,
  ].filter(Boolean);
  const modules = ['json', keyed && 'os', 'urllib.request', repeatable && 'uuid'].filter(Boolean);
  return `${modules.map((name) => `import ${String(name)}`).join('\n')}

request = urllib.request.Request(
${options.map((option) => `    ${String(option)},\n`).join('')})
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer))`;
}
