/**
 * `npm run generators [-- NAME…]`: which generated clients read an example of every frame and of every node. Needs Go, Python, Java
 * and jq for the clients of their languages.
 */
import { apiDocument } from '../../../../src/processes/api-document.ts';
import { GENERATORS, listExamples, readExamples } from './read-examples.ts';

const examples = listExamples(apiDocument());
const frames = examples.filter(({ union }) => union === 'RunEvent').length;
const chosen = process.argv.slice(2);
process.stdout.write('| generator | frames | nodes |\n| --- | --- | --- |\n');
for (const generator of GENERATORS) {
  if (chosen.length > 0 && !chosen.includes(generator)) continue;
  try {
    const reading = await readExamples(generator);
    const nodes = examples.length - frames;
    process.stdout.write(
      `| ${generator} | ${reading.frames} of ${frames} | ${reading.nodes} of ${nodes} |\n`,
    );
    for (const fault of reading.faults) process.stderr.write(`${generator}: ${fault}\n`);
    if (reading.faults.length > 0) process.exitCode = 1;
  } catch (error) {
    process.stdout.write(`| ${generator} | not made | |\n`);
    process.stderr.write(`${generator}: ${(error as { stderr?: string }).stderr ?? String(error)}\n`);
    process.exitCode = 1;
  }
}
