import type { RailEvent } from './types.ts';
type HeaderFields = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
/** For receivers of messages, who need no client. */
export declare const webhooks: {
    /**
     * The event of a message, if its signature is right: that of Standard Webhooks, or the rail's own where there is no
     * other. The body is as it was received, and the secret as the rail showed it. Otherwise it throws a `RailError` with
     * the status 401.
     */
    unwrap(body: string | Uint8Array, headers: HeaderFields, secret: string): Promise<RailEvent>;
};
export {};
