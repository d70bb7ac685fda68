import { type List } from './lists.ts';
import { type CallOptions, type ClientOptions, type Input } from './send.ts';
import type { AnswerOf, InputOf, ListPath, Method, PathOf, RowOf } from './types.ts';
type Asked<M extends Method, Path extends PathOf<M>> = InputOf<M, Path> & CallOptions;
/** Calls a path of the description, which says what is sent, and what is answered as `data`. */
type Call<M extends Method> = <Path extends PathOf<M>>(path: Path, ...asked: object extends InputOf<M, Path> ? [asked?: Asked<M, Path>] : [asked: Asked<M, Path>]) => Promise<AnswerOf<M, Path>>;
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
export declare function callsOf(client: ClientOptions): Calls;
export {};
