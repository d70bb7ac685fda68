import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { waitFor } from '../run/wait.ts';

export interface Mailbox {
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly letters: Email[];
  /** The nth letter to an address, once it is there. */
  letterTo(address: string, nth?: number): Promise<Email>;
  /** The code in the nth letter to an address. */
  codeFor(address: string, nth?: number): Promise<string>;
  /** The link in the nth letter to an address. */
  linkFor(address: string, nth?: number): Promise<string>;
  close(): Promise<void>;
}

interface Behaviour {
  /** It waits for this before it accepts a letter. */
  readonly until?: Promise<void>;
  /** Letters that it refuses before it accepts one. */
  readonly failures?: number;
}

/** A real SMTP server in this process, which keeps what it is sent. */
export async function openMailbox({ until = Promise.resolve(), failures = 0 }: Behaviour = {}): Promise<Mailbox> {
  const letters: Email[] = [];
  let left = failures;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    // A rail keeps its connections for later letters: tests are not to wait until it gives them up.
    closeTimeout: 1,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      const take = () => {
        if (left-- > 0) return done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
        PostalMime.parse(Buffer.concat(chunks)).then((letter) => {
          letters.push(letter);
          done();
        }, done);
      };
      stream.on('end', () => void until.then(take));
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  const letterTo = (address: string, nth = 0) =>
    waitFor(`letter to ${address}`, () => letters.filter(({ to }) => to?.some((one) => one.address === address))[nth]);
  const partOf = async (pattern: RegExp, address: string, nth?: number) => {
    const { text } = await letterTo(address, nth);
    const found = pattern.exec(text ?? '')?.[0];
    if (!found) throw new Error(`The letter to ${address} does not hold ${pattern}`);
    return found;
  };
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    letterTo,
    codeFor: (address, nth) => partOf(/\b\d{6}\b/, address, nth),
    linkFor: (address, nth) => partOf(/https?:\/\/\S+/, address, nth),
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
