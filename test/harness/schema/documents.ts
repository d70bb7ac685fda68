import { concatAST, parse } from 'graphql';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../rest/', import.meta.url));

/** The documents behind the endpoints, as one. */
export const documents = concatAST(
  globSync('**/*.graphql', { cwd: FOLDER, exclude: ['directives.graphql'] }).map((file) =>
    parse(readFileSync(join(FOLDER, file), 'utf8')),
  ),
);
