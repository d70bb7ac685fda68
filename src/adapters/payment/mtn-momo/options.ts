import { z } from '../../../kernel/zod.ts';
import { word } from '../../http/options.ts';

export const options = {
  /** `Ocp-Apim-Subscription-Key` of the Collections product. */
  subscription_key: word,
  api_user: word,
  api_key: word,
  /** `X-Target-Environment`, such as `mtnuganda`. */
  target_environment: word,
  /** The Disbursements product, by which MTN refunds; without it, refunds are by transfer. */
  disbursement: z.strictObject({ subscription_key: word, api_user: word, api_key: word }).optional(),
};

export type MtnMomoOptions = z.output<z.ZodObject<typeof options>>;
