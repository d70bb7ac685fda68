import { builder } from '../builder.ts';
import { defineEnum } from '../enums.ts';

/** The languages that the rail speaks. */
export const LANGUAGES = {
  en: 'English, which everything has.',
  fr: 'French, `fr` in ISO 639.',
  sw: 'Swahili, `sw` in ISO 639.',
  lg: 'Luganda, `lg` in ISO 639.',
} as const;
export type Language = keyof typeof LANGUAGES;
export const LanguageEnum = defineEnum<Language>('Language', 'A language of pages, mail and names.', LANGUAGES);

/** In which language a name is answered. */
export const languageArg = builder.args((t) => ({
  language: t.field({
    type: LanguageEnum,
    description: 'The language of the name; English where the country profile has no name in it. Default: English.',
  }),
}));
