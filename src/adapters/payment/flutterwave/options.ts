import type { z } from '../../../kernel/zod.ts';
import { word } from '../../http/options.ts';

/** The headers of a callback's proof: the secret itself in version 3, a signature of the body in version 4. */
export const HASH = 'verif-hash';
export const SIGNATURE = 'flutterwave-signature';

export const options = { secret_key: word };

export type FlutterwaveOptions = z.output<z.ZodObject<typeof options>>;
