/** `npm run kubernetes`: renders the Helm chart into src/base/observe/operations/kubernetes.yaml. Needs `helm`. */
import { writeFileSync } from 'node:fs';
import { renderChart, RENDERING } from './kubernetes.ts';

writeFileSync(RENDERING, renderChart());
