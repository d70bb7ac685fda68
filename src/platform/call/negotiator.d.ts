/** The part of `negotiator` in use; its published types lack the order in which a server prefers codings. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> });
    /**
     * The coding that the client would rather have, by the weights of its `Accept-Encoding`; among equals the first of
     * `preferred`. Undefined where it takes none of them.
     */
    encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
    /** Those of the available media types that the client takes, by the weights of its `Accept`. */
    mediaTypes(available: readonly string[]): string[];
    /** Those of the available languages that the client takes, by the weights of its `Accept-Language`. */
    languages(available: readonly string[]): string[];
  }
}
