import { builder } from '../../graphql/builder.ts';
import { freeText } from '../../graphql/input/forms.ts';
import { type Release, type ReleaseSection, readChangelog } from './read.ts';

const ReleaseSectionType = builder.objectRef<ReleaseSection>('ReleaseSection').implement({
  description: 'A part of what changed with a version.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Kind of change, such as `Added` or `Breaking`.' }),
    entries: t.exposeStringList('entries', { description: 'Changes of this kind, in Markdown, one text each.' }),
  }),
});

const ReleaseType = builder.objectRef<Release>('Release').implement({
  description: 'A version of the rail with what changed for its users.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'The version of the rail, by Semantic Versioning.' }),
    releasedOn: t.field({
      type: 'Date',
      nullable: true,
      description: 'The day of the release; null if it is still to come or was not written down.',
      resolve: ({ releasedOn }) => (releasedOn === null ? null : new Date(releasedOn)),
    }),
    about: t.exposeString('about', {
      description: 'Introduction to the release, in Markdown; it may be empty.',
    }),
    sections: t.expose('sections', { type: [ReleaseSectionType], description: 'Changes of the release, by kind.' }),
  }),
});

let releases: readonly Release[] | null = null;

builder.queryFields((t) => ({
  changelog: t.field({
    type: [ReleaseType],
    description: 'The versions of the rail and what changed with each, the newest first. No authentication required.',
    args: { version: t.arg.string({ description: 'Only this version, such as `3.0.0`.', ...freeText(40) }) },
    resolve: (_root, { version }) =>
      (releases ??= readChangelog()).filter((release) => version == null || release.version === version),
  }),
}));
