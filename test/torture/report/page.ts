import { MOST_LOSSES, repeatCommand } from './markdown.ts';
import { type Report, type Result, codeOf, extentOf, summarise } from './report.ts';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
  .verdict { padding: .75rem 1rem; color: #fff; background: #b00020; font-weight: 600 }
  .code-0 { background: #00601b } .code-3 { background: #5c5c5c }
  table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #ccc }
  .held { color: #00601b } .lost, .broke { color: #b00020 } .not { color: #5c5c5c }
  section { margin-top: 2rem } pre { white-space: pre-wrap; overflow-wrap: anywhere } li { overflow-wrap: anywhere }
`;

/** One page that needs nothing but itself. */
export function writePage(report: Report): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Torture report</title>
<style>${STYLE}</style>
<h1>Torture report</h1>
<p class="verdict code-${codeOf(report)}">${escape(summarise(report))}</p>
<p>Started ${report.startedAt.toISOString()}. To repeat it: <code>${escape(repeatCommand(report))}</code></p>
<table>
<tr><th>Scenario</th><th>Outcome</th><th>Tried</th><th>Losses</th><th>Seconds</th></tr>
${report.results.map(row).join('\n')}
</table>
${report.results.map(section).join('\n')}
</html>
`;
}

function row(result: Result): string {
  const { name, outcome, losses, seconds } = result;
  return `<tr><td><a href="#${name}">${name}</a></td><td class="${outcome}">${outcome}</td><td>${extentOf(result)}</td><td>${losses.length}</td><td>${seconds}</td></tr>`;
}

function section({ name, title, promise, outcome, counts, losses, why }: Result): string {
  const listed = Object.entries(counts).map(([label, count]) => `${label}: ${count.toLocaleString('en')}`);
  return `<section id="${name}">
<h2>${escape(title)}</h2>
<p class="${outcome}">${outcome}</p>
<p>${escape(promise)}</p>
${list(listed)}${why === null ? '' : `<pre>${escape(why)}</pre>`}
${losses.length === 0 ? '' : `<h3>Lost: ${losses.length}</h3>${list(losses.slice(0, MOST_LOSSES))}`}</section>`;
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
