import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../../prisma/schema/', import.meta.url));

/** A block of Prisma's schema: a model or an enum, whose lines are its fields or its values. */
export interface Block {
  readonly name: string;
  /** Name in the database. */
  readonly table: string;
  /** The comments above it. */
  readonly comments: string;
  readonly lines: readonly string[];
}

/** The blocks of Prisma's schema. Prisma's own datamodel lacks the tables and columns that its client ignores. */
export function readBlocks(keyword: 'model' | 'enum'): Block[] {
  const text = globSync('*.prisma', { cwd: FOLDER })
    .toSorted()
    .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
    .join('\n');
  return [...text.matchAll(new RegExp(`((?:^//.*\\n)*)^${keyword} (\\w+) \\{\\n([^]*?)^\\}`, 'gm'))].map(
    ([, comments, name, body]) => ({
      name: name!,
      comments: comments!,
      table: /@@map\("(\w+)"\)/.exec(body!)?.[1] ?? name!,
      lines: body!.split('\n').filter((line) => /^ {2}\w/.test(line)),
    }),
  );
}

/** A column as a line of a model says it. */
export interface SchemaColumn {
  readonly name: string;
  readonly type: string;
  /** `?` or `[]`, or nothing. */
  readonly mark: string;
  readonly line: string;
}

/** The columns of a model; fields that stand for other models are none. */
export function columnsIn({ lines }: Block, models: ReadonlySet<string>): SchemaColumn[] {
  return lines.flatMap((line) => {
    const [, field, type, mark = ''] = /^ {2}(\w+)\s+(\w+)(\?|\[\])?/.exec(line)!;
    if (models.has(type!)) return [];
    return [{ name: /@map\("(\w+)"\)/.exec(line)?.[1] ?? field!, type: type!, mark, line }];
  });
}
