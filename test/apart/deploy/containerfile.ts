import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DockerfileParser, type From, type JSONInstruction } from 'dockerfile-ast';
import { type Image, type Mounts, enter } from './enter.ts';

/** What a build is made of: the base of each stage, what `COPY` copies from, and what else `RUN` sees. */
interface Sources {
  readonly base: string;
  readonly context: string;
  readonly binds: Mounts['binds'];
  readonly env: Readonly<Record<string, string>>;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Builds the image of a Containerfile in a folder, without a container engine. It knows the instructions that
 * `deploy/Containerfile` has, and refuses others.
 */
export function buildImage(file: string, folder: string, sources: Sources): Image {
  const stages = new Map<string, string>();
  let image: Image | null = null;
  for (const instruction of DockerfileParser.parse(readFileSync(file, 'utf8')).getInstructions()) {
    const keyword = instruction.getKeyword();
    const args = instruction.getArguments().map((argument) => argument.getValue());
    const text = instruction.getArgumentsContent() ?? '';
    if (keyword === 'FROM') {
      const root = join(folder, `stage-${stages.size}`);
      // Files of the base are replaced or removed, and never written to.
      execFileSync('cp', ['--archive', '--link', sources.base, root]);
      stages.set((instruction as From).getBuildStage() ?? root, root);
      image = { root, env: { PATH }, user: '0:0', workdir: '/', volumes: [], cmd: [], healthcheck: [] };
      continue;
    }
    if (!image) throw new Error(`${keyword} comes before FROM`);
    switch (keyword) {
      case 'RUN': {
        const [program, ...more] = enter(
          { ...image, env: { ...image.env, ...sources.env } },
          { binds: sources.binds, tmpfs: [], readOnly: false },
          ['sh', '-c', text],
        );
        execFileSync(program!, more, { stdio: ['ignore', 'ignore', 'inherit'] });
        break;
      }
      case 'COPY': {
        const stage = (instruction as JSONInstruction).getFlags().find((flag) => flag.getName() === 'from');
        const [from, to] = args as [string, string];
        const source = stage ? join(stages.get(stage.getValue()!)!, from) : resolve(sources.context, from);
        copy(source, join(image.root, to), stage ? [] : listIgnored(sources.context));
        break;
      }
      case 'ENV':
        image = { ...image, env: { ...image.env, ...Object.fromEntries(args.map((arg) => arg.split('='))) } };
        break;
      case 'USER':
        image = { ...image, user: text };
        break;
      case 'WORKDIR':
        image = { ...image, workdir: text };
        break;
      case 'VOLUME':
        image = { ...image, volumes: [...image.volumes, ...args] };
        break;
      case 'CMD':
        image = { ...image, cmd: JSON.parse(text) as string[] };
        break;
      case 'HEALTHCHECK':
        image = { ...image, healthcheck: JSON.parse(text.replace(/^CMD /, '')) as string[] };
        break;
      case 'EXPOSE':
        break;
      default:
        throw new Error(`${keyword} is not known here`);
    }
  }
  if (!image) throw new Error(`${file} has no FROM`);
  return image;
}

function copy(source: string, target: string, ignored: readonly string[]): void {
  mkdirSync(target, { recursive: true });
  execFileSync(
    'sh',
    ['-c', 'source=$1; target=$2; shift 2; tar -C "$source" "$@" -cf - . | tar -C "$target" -xf -', '-'].concat(
      source,
      target,
      ignored.map((pattern) => `--exclude=${pattern}`),
    ),
  );
}

/** What `.dockerignore` leaves out, as `tar` understands it. */
function listIgnored(context: string): string[] {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').trim().split('\n');
  return lines.map((line) => (line.startsWith('**/') ? line.slice(3) : `./${line}`));
}
