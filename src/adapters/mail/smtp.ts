import { SpanKind } from '@opentelemetry/api';
import nodemailer from 'nodemailer';
import { AdapterFailure } from '../failure.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { Mailer } from './port.ts';

const TIMEOUT_MS = 15_000;
const SENDING = { name: 'send mail', kind: SpanKind.CLIENT };
const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

/**
 * Mail by SMTP, over a few connections that are kept; `smtps://user:password@host:465` or `smtp://host:587`, which
 * upgrades to TLS where it can.
 */
export function openSmtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 3,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: (letter) =>
      inSpan(
        () => SENDING,
        async () => {
          try {
            await transport.sendMail({ from, ...letter });
          } catch (error) {
            throw failureOf(error, 'take a letter');
          }
        },
      ),
    close: () => transport.close(),
  };
}

/** Connects and signs in; throws an AdapterFailure where that fails. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = nodemailer.createTransport({ ...TIMEOUTS, url });
  try {
    await transport.verify();
  } catch (error) {
    throw failureOf(error, 'take the connection and the sign-in');
  } finally {
    transport.close();
  }
}

/** The server's words can quote the recipient; its codes cannot. */
function failureOf(error: unknown, what: string): AdapterFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const response = error instanceof Error && 'responseCode' in error ? ` ${Number(error.responseCode)}` : '';
  return new AdapterFailure(
    'mail',
    code === 'ETIMEDOUT' ? 'timeout' : 'failed',
    `The mail server did not ${what}: ${code}${response}`,
  );
}
