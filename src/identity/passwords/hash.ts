import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** Parameters of OWASP's password storage cheat sheet for Argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Stored hash of a password: Argon2id, in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', {
    message: normalise(password),
    nonce,
    parallelism: LANES,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${removePadding(nonce)}$${removePadding(tag)}`;
}

/** A hash that no password has: checking against it takes as long as against a real one. */
const NOBODYS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${removePadding(Buffer.alloc(SALT_BYTES))}$${removePadding(Buffer.alloc(TAG_BYTES))}`;

/** True if a password is the one that was hashed; a null hash, of nobody, takes as long. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, lanes, salt, tag] = PHC.exec(hash ?? NOBODYS) ?? [];
  if (!salt || !tag) throw new Error('A password hash is not in the PHC string format of Argon2id');
  const expected = Buffer.from(tag, 'base64');
  const parameters = {
    parallelism: Number(lanes),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
  };
  const given = await derive('argon2id', {
    message: normalise(password),
    nonce: Buffer.from(salt, 'base64'),
    ...parameters,
  });
  return timingSafeEqual(given, expected) && hash !== null;
}

/** The same password however its accents were typed (NIST SP 800-63B). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}

function removePadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
