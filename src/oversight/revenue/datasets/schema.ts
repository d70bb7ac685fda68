import { basename } from 'node:path';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Call } from '../../../platform/call/call.ts';
import { builder } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { addAgencyOf } from '../../common/edges.ts';
import { Oversight } from '../../figures/oversight.ts';
import { type Manifest, type WrittenFile, readManifest } from './manifest.ts';

const KindEnum = defineEnum('DatasetFileKind', 'Kind of a file of a dataset.', {
  month: 'A whole month, as it was known when it was written.',
  correction: 'Events of a month that were recorded after that.',
} satisfies Record<WrittenFile['kind'], string>);

const FileType = builder.objectRef<WrittenFile>('DatasetFile').implement({
  description: 'A Parquet file of a dataset. Once written, it is never changed.',
  fields: (t) => ({
    name: t.string({
      description: 'The name of the file, under which it is downloaded at `/v1/oversight/datasets/{name}`.',
      resolve: nameOf,
    }),
    path: t.exposeString('path', { description: 'Path of the file, from the folder of the manifest.' }),
    month: t.exposeString('month', { description: 'The month of the payments (UTC), `YYYY-MM`.' }),
    kind: t.expose('kind', { type: KindEnum, description: 'A whole month, or a correction of one.' }),
    rows: t.exposeInt('rows', { description: 'The number of rows.' }),
    bytes: t.exposeFloat('bytes', { description: 'The size in bytes.' }),
    sha256: t.exposeString('sha256', { description: 'SHA-256 (hex) of the file.' }),
  }),
});

const ColumnType = builder.objectRef<Manifest['columns'][number]>('DatasetColumn').implement({
  description: 'A column of the files of a dataset.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the column.' }),
    type: t.exposeString('type', { description: 'Its type, as this graph calls it.' }),
    description: t.exposeString('description', { description: 'Meaning of the values of the column.' }),
  }),
});

const SealHeadType = builder.objectRef<Manifest['seal_heads'][number]>('DatasetSealHead').implement({
  description: "The last seal of an agency's chain of payment events when a dataset was written.",
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { description: 'The number of sealed events.' }),
    hash: t.exposeString('hash', { description: 'The hash of the seal, SHA-256 (hex).' }),
  }),
});
addAgencyOf(SealHeadType, 'whose chain it is');

const DatasetType = builder.objectRef<Manifest>('Dataset').implement({
  description:
    'Payments, a row for each event and service, as Parquet files of the months that are over (UTC). All files together are the dataset; none has personal data.',
  fields: (t) => ({
    name: t.exposeString('dataset', { description: 'The name of the dataset.' }),
    readAt: t.exposeString('read_at', { description: 'Time at which it was written.' }),
    through: t.exposeString('through', { description: 'The last month that is in it, `YYYY-MM`.' }),
    files: t.expose('files', {
      type: [FileType],
      description: 'Its files, in the order in which they were written.',
    }),
    columns: t.expose('columns', {
      type: [ColumnType],
      description: 'The columns of all files.',
    }),
    sealHeads: t.expose('seal_heads', {
      type: [SealHeadType],
      description: "The last seal of each agency's chain when it was written, in order of the agencies' codes.",
    }),
  }),
});

builder.objectFields(Oversight, (t) => ({
  datasets: t.field({
    type: [DatasetType],
    description:
      'Datasets of all payments, as files for other engines, in order of their names: what `datasets:write` wrote to the published folder. Empty where they publish none.',
    complexity: { field: 20, multiplier: 1 },
    resolve: async (_root, _args, call) => [(await findManifest(call)) ?? []].flat(),
  }),
  datasetFile: t.field({
    type: FileType,
    description: 'A file of a dataset; over REST, the file itself. `not_found` where there is none of this name.',
    args: {
      name: t.arg.string({
        required: true,
        description: 'The name of the file.',
        ...shape({ maxLength: 255, examples: ['2026-10.parquet'] }),
      }),
    },
    resolve: async (_root, { name }, call) => {
      const file = (await findManifest(call))?.files.find((one) => nameOf(one) === name);
      if (!file) throw new Refusal('not_found', 'There is no such file');
      return file;
    },
  }),
}));

/** The manifest of the folder that is published; null where none is, or nothing was written yet. */
async function findManifest({ config: { oversightFiles } }: Call): Promise<Manifest | null> {
  return oversightFiles === null ? null : readManifest(oversightFiles);
}

function nameOf({ path }: WrittenFile): string {
  return basename(path);
}
