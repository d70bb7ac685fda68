import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from '../../kernel/zod.ts';
import type { PeerOptions } from './peer.ts';

/** A name, a key or a secret. */
export const word = z.string().min(1).max(4_000);

/** The name of a connection: it stands in addresses and in the names of environment variables. */
export const connectionName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lower-case letters, digits and underscores');

/** A country by its code (ISO 3166-1). */
export const country = z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as UG');

/** A currency by its code (ISO 4217). */
export const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code such as UGX');

/** An address, without a trailing slash. */
export const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** Reads a PEM file, whose path is relative to the file that names it. */
export function readPem(folder: string) {
  return word.transform((path, context) => {
    try {
      return readFileSync(resolve(folder, path), 'utf8');
    } catch {
      context.addIssue(`cannot read ${path}`);
      return z.NEVER;
    }
  });
}

/** The members of every connection to something outside: where it is, and how patiently it is called. */
export function describePeer(folder: string) {
  return {
    url: address,
    ca: readPem(folder).optional(),
    timeout_ms: z.int().min(100).max(60_000).default(10_000),
    concurrency: z.int().min(1).max(1_000).default(20),
    breaker_failures: z.int().min(1).max(1_000).default(5),
    breaker_rest_ms: z.int().min(10).max(600_000).default(10_000),
  };
}

export function peerOf(given: z.output<z.ZodObject<ReturnType<typeof describePeer>>>): PeerOptions {
  return {
    url: given.url,
    ca: given.ca,
    timeoutMs: given.timeout_ms,
    concurrency: given.concurrency,
    breakerFailures: given.breaker_failures,
    breakerRestMs: given.breaker_rest_ms,
  };
}
