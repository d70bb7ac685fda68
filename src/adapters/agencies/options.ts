import { z } from '../../kernel/zod.ts';
import { address, country, peerOf, describePeer, readPem, word } from '../http/options.ts';
import type { AgencyOptions } from './port.ts';

/** Form of agencies' connections in `CONNECTIONS`, with the rail's credentials. */
export function describeConnection(folder: string) {
  const pem = readPem(folder);
  return z
    .strictObject({
      ...describePeer(folder),
      country,
      oauth2: z
        .strictObject({
          token_path: word.default('/oauth2/token'),
          client_id: word,
          client_secret: word,
          scope: word.optional(),
        })
        .optional(),
      mtls: z.strictObject({ url: address.optional(), cert: pem, key: pem }).optional(),
      api_key: word.optional(),
      notice_path: z.string().regex(/^\//, 'must begin with a slash').optional(),
    })
    .transform((given): AgencyOptions => {
      const { oauth2, mtls } = given;
      return {
        ...peerOf(given),
        country: given.country,
        oauth2: oauth2 && {
          tokenPath: oauth2.token_path,
          clientId: oauth2.client_id,
          clientSecret: oauth2.client_secret,
          scope: oauth2.scope,
        },
        mtls: mtls && { url: mtls.url ?? given.url, cert: mtls.cert, key: mtls.key },
        apiKey: given.api_key,
        noticePath: given.notice_path,
      };
    });
}
