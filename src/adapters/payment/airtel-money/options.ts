import { z } from '../../../kernel/zod.ts';
import { country, word } from '../../http/options.ts';

export const options = {
  client_id: word,
  client_secret: word,
  /** `X-Country`, such as `UG`. */
  country,
  /** The calling code that its numbers are written without, such as `256`. */
  calling_code: z.string().regex(/^[1-9]\d{0,2}$/, 'must be a calling code such as 256'),
};

export type AirtelMoneyOptions = z.output<z.ZodObject<typeof options>>;
