import { type Report, type Result, extentOf, summarise } from './report.ts';

/** The most losses of a scenario that are listed; the JSON has all. */
export const MOST_LOSSES = 20;

export function writeMarkdown(report: Report): string {
  const rows = report.results.map(
    (result) =>
      `| ${result.name} | ${result.outcome} | ${extentOf(result)} | ${result.losses.length} | ${result.seconds} |`,
  );
  return [
    '# Torture report',
    '',
    summarise(report),
    '',
    `Started ${report.startedAt.toISOString()}. To repeat it: \`${repeatCommand(report)}\``,
    '',
    '| scenario | outcome | tried | losses | seconds |',
    '|---|---|---|---|---|',
    ...rows,
    ...report.results.flatMap(describe),
    '',
  ].join('\n');
}

export function repeatCommand({ minutes, seed }: Report): string {
  return `npm run torture -- --minutes ${minutes} --seed ${seed}`;
}

function describe({ name, title, promise, counts, losses, why }: Result): string[] {
  return [
    '',
    `## ${name}: ${title}`,
    '',
    promise,
    ...Object.entries(counts).map(
      ([label, count], index) => `${index === 0 ? '\n' : ''}- ${label}: ${count.toLocaleString('en')}`,
    ),
    ...(why === null ? [] : ['', `> ${why.replaceAll('\n', '\n> ')}`]),
    ...(losses.length === 0 ? [] : ['', `**Lost: ${losses.length}**`, '']),
    ...losses.slice(0, MOST_LOSSES).map((loss) => `- ${loss.replaceAll('\n', ' ')}`),
  ];
}
