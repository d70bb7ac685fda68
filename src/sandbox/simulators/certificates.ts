import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { DAY_MS } from '../../kernel/time.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** The authority that both sides trust. */
  readonly ca: string;
  readonly server: Pair;
  readonly client: Pair;
  /** Issued by an authority that nobody trusts. */
  readonly stranger: Pair;
}

/** New certificates for a conversation in which both sides show who they are, good for a month or other days. */
export async function makeCertificates(days = 30): Promise<Certificates> {
  const trusted = await makeAuthority('Simulated authority', days);
  const unknown = await makeAuthority('Somebody else', days);
  return {
    ca: trusted.cert,
    server: await trusted.issue('127.0.0.1', ExtendedKeyUsage.serverAuth),
    client: await trusted.issue('revenue-rail', ExtendedKeyUsage.clientAuth),
    stranger: await unknown.issue('revenue-rail', ExtendedKeyUsage.clientAuth),
  };
}

async function makeAuthority(name: string, days: number) {
  const keys = await makeKeys();
  const issuer = `CN=${name}`;
  const own = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: drawSerial(),
      name: issuer,
      ...limitValidity(days),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ],
    },
    webcrypto as Crypto,
  );
  const issue = async (subject: string, usage: ExtendedKeyUsage): Promise<Pair> => {
    const subjectKeys = await makeKeys();
    const certificate = await X509CertificateGenerator.create(
      {
        serialNumber: drawSerial(),
        subject: `CN=${subject}`,
        issuer,
        ...limitValidity(days),
        signingAlgorithm: ALGORITHM,
        publicKey: subjectKeys.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new ExtendedKeyUsageExtension([usage]),
          new SubjectAlternativeNameExtension([
            { type: 'ip', value: '127.0.0.1' },
            { type: 'dns', value: 'localhost' },
          ]),
        ],
      },
      webcrypto as Crypto,
    );
    const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', subjectKeys.privateKey), 'PRIVATE KEY');
    return { cert: certificate.toString('pem'), key };
  };
  return { cert: own.toString('pem'), issue };
}

function makeKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}

function limitValidity(days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + days * DAY_MS) };
}

function drawSerial(): string {
  return Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex');
}
