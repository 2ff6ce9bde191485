/** What a test of the canvas has measured: printed for whoever runs it at full size, and never judged. */

/** With CANVAS_FIGURES=1, a line with the numbers; milliseconds and the like are rounded. */
export function figures(subject: string, numbers: Readonly<Record<string, number>>): void {
  if (process.env['CANVAS_FIGURES'] === undefined) return;
  const told = Object.entries(numbers).map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`);
  process.stdout.write(`FIGURES ${subject}: ${told.join(', ')}\n`);
}
