import { bodyOf, refusalOf } from './errors.ts';
import { type List, listOf, nextOf } from './lists.ts';
import { type CallOptions, type ClientOptions, type Input, send } from './send.ts';
import type { AnswerOf, InputOf, ListPath, Method, PathOf, RowOf } from './types.ts';

type Asked<M extends Method, Path extends PathOf<M>> = InputOf<M, Path> & CallOptions;

/** Calls a path of the description, which says what is sent, and what is answered as `data`. */
type Call<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...asked: object extends InputOf<M, Path> ? [asked?: Asked<M, Path>] : [asked: Asked<M, Path>]
) => Promise<AnswerOf<M, Path>>;

export interface Calls {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** The rows of a list, of all its pages. */
  list<Path extends ListPath>(path: Path, asked?: Asked<'get', Path>): List<RowOf<Path>>;
  /** A call of any path; types do not check it. */
  request(method: string, path: string, input?: Input): Promise<unknown>;
  /** The answer as it is: `rail.raw('GET', '/v1/assessments', { headers: { accept: 'text/csv' } })`. */
  raw(method: string, path: string, input?: Input): Promise<Response>;
}

export function callsOf(client: ClientOptions): Calls {
  const request = async (method: string, path: string, input: Input = {}) =>
    (await send(client, method, path, input, readJson)).data;
  const by = (method: string) => (path: string, input?: Input) => request(method, path, input);
  return {
    get: by('GET') as Call<'get'>,
    post: by('POST') as Call<'post'>,
    put: by('PUT') as Call<'put'>,
    patch: by('PATCH') as Call<'patch'>,
    delete: by('DELETE') as Call<'delete'>,
    list: <Path extends ListPath>(path: Path, { query, ...others }: Input = {}) =>
      listOf(async (after?: string) => {
        const input = { ...others, query: { ...query, ...(after !== undefined && { after }) } };
        const { data, next } = await send(client, 'GET', path, input, readJson);
        return { rows: data as RowOf<Path>[], next };
      }),
    request,
    raw: (method, path, input = {}) => send(client, method, path, input, (response) => response),
  };
}

/** Content of an answer's envelope, if it has one, and the cursor of its next page. */
async function readJson(response: Response): Promise<{ readonly data: unknown; readonly next: string | null }> {
  const body = await bodyOf(response);
  if (!body) throw refusalOf(response, body);
  return { data: 'data' in body ? body.data : body, next: nextOf(response) };
}
