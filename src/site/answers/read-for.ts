import type { GraphQLSchema } from 'graphql';
import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { findPage } from '../addresses.ts';
import { isLanguage } from '../languages/language.ts';
import { textsOf, withTerms } from '../languages/texts.ts';
import { readDocuments } from '../operations/documents.ts';
import type { LayoutData, PageContext } from '../page-context.ts';
import { writePage } from '../show.ts';

/** Writes the page of an address as a caller sees it who has not opened it: for mail, and for charts in other pages. */
export async function readPageFor(schema: GraphQLSchema, call: Call, address: string, language: string) {
  const { pages, layout } = readDocuments(schema);
  const found = findPage(pages, address);
  if (!found) throw new Refusal('not_found', say`There is no page at this address`);
  const plain = textsOf(isLanguage(language) ? language : 'en');
  const { agencies, catalogueTerms } = (await layout.run(call, {}, plain.language)) as unknown as LayoutData;
  const texts = withTerms(plain, catalogueTerms);
  const { timeZone = 'UTC', fiscalYearMonth = 1 } = agencies.nodes[0] ?? {};
  const { page, path, query } = found;
  const shared = { call, schema, pages, describe, texts, address, query, timeZone, fiscalYearMonth };
  const context: PageContext = { ...shared, attempt: null, notices: [] };
  return { page, texts, timeZone, ...(await writePage(page, path, context, null)) };
}

function describe(): never {
  throw new Error('No page of figures describes the REST API');
}
