import { validate } from '/work/main/src/graph/validate.ts';
import { compile } from '/work/main/src/graph/plan.ts';
import { toSkeleton } from '/work/main/src/graph/skeleton.ts';
import { fakeKinds } from '/work/main/test/graph/fake-kinds.ts';
const N=10000;
const nodes=Array.from({length:N},(_,i)=>({id:'n'+i,type:'llm',config:{a:'{{n0.x}} and {{input.q}}'},state_updates:{f:1}}));
const edges:any[]=[];for(let i=0;i<N;i++)for(let k=1;k<=5;k++)edges.push({id:`${i}-${k}`,source:'n'+i,target:i+k<N?'n'+(i+k):'__end__'});
const wide=Array.from({length:N},(_,i)=>({id:'w'+i,source:'n0',target:'n'+i})).slice(1);
const back=[...edges.slice(0,10000),...Array.from({length:39000},(_,i)=>({id:'b'+i,source:'n'+(N-1-i%5000),target:'n'+(1+i%4000),when:{left:1,op:'exists'}}))];
for(const [name,e] of [['dag',edges],['wide',wide],['back',back]] as const){const d={nodes,edges:e,entry_point:'n0',state_schema:{f:{}}} as any;let t=performance.now();const p=validate(d,fakeKinds);console.log(name,p.length,p[0]?.code,Math.round(performance.now()-t));
 if(!p.some(x=>x.severity==='error')){t=performance.now();const s=toSkeleton(compile(d,fakeKinds),100);console.log('compile',Math.round(performance.now()-t),JSON.stringify(s).length)}}
const evil={nodes:[{id:'a',type:'llm',config:{x:Array.from({length:200000},()=>'{{'+ 'a.b'.repeat(3))}}],edges:[]} as any;let t=performance.now();console.log(validate(evil,fakeKinds).length,Math.round(performance.now()-t));
const evil2={nodes:[{id:'a',type:'llm',config:{x:'{{g}}'.repeat(800000)}}],edges:[]} as any;t=performance.now();console.log(validate(evil2,fakeKinds).length,Math.round(performance.now()-t));
