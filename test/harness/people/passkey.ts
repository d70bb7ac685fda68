import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');

/** Flags of what an authenticator says (https://www.w3.org/TR/webauthn-3/#authdata-flags). */
const USER_PRESENT = 0x01;
const HAS_KEY = 0x40;

/** The options of a request that an authenticator looks at. */
interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

/** An authenticator with one passkey, which answers what it is asked as browsers do, and otherwise where a test says so. */
export class SoftPasskey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = base64url(randomBytes(32));
  readonly #origin: string;
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The answer of `navigator.credentials.create`. */
  create(options: Options, { origin = this.#origin }: { origin?: string } = {}) {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const data = Buffer.concat([this.#data(options.rp!.id, HAS_KEY), Buffer.alloc(16), length, id, cose]);
    // In CBOR: {fmt: "none", attStmt: {}, authData: data}.
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
    const attestationObject = base64url(Buffer.concat([head, Buffer.from([data.length]), data]));
    return this.#answer({ clientDataJSON: this.#said('webauthn.create', options, origin), attestationObject });
  }

  /** The answer of `navigator.credentials.get`. */
  get(options: Options, { origin = this.#origin }: { origin?: string } = {}) {
    this.counter++;
    const data = this.#data(options.rpId!, 0);
    const clientDataJSON = this.#said('webauthn.get', options, origin);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const signature = base64url(sign('sha256', signed, this.#keys.privateKey));
    return this.#answer({ clientDataJSON, authenticatorData: base64url(data), signature });
  }

  #data(host: string, more: number): Buffer {
    const counted = Buffer.alloc(5);
    counted.writeUInt8(USER_PRESENT | more);
    counted.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(host), counted]);
  }

  #said(type: string, { challenge }: Options, origin: string): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #answer<Response extends object>(response: Response) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
