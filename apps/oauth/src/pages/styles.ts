import { createHash } from 'node:crypto';

/** The styles of the pages, in the colours of the console. The content security policy has their hash and allows no others. */
export const styles = `
:root{color-scheme:light dark;
--paper:#f6f7f9;--card:#fff;--ink:#17202b;--soft:#566170;--line:#d9dde3;--edge:#8a929e;
--accent:#2457d6;--accent-strong:#1b44ad;--on-accent:#fff;--tint:#e8eefc;
--bad:#b3261e;--bad-tint:#fbe9e7;--good:#17653a;--good-tint:#e3f4ea;--note:#7a5200;--note-tint:#fdf1d8;
--shadow:0 1px 2px rgb(20 30 45/.06),0 12px 32px -12px rgb(20 30 45/.16)}
@media (prefers-color-scheme:dark){:root{
--paper:#14171b;--card:#1c2026;--ink:#e6eaef;--soft:#a5afbc;--line:#343b45;--edge:#7c8694;
--accent:#8fb0ff;--accent-strong:#b5caff;--on-accent:#10203f;--tint:#22304d;
--bad:#ff9c93;--bad-tint:#47201d;--good:#7fd6a2;--good-tint:#173323;--note:#f0c674;--note-tint:#403317;
--shadow:0 1px 2px rgb(0 0 0/.4),0 16px 40px -16px rgb(0 0 0/.6)}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);
font:1rem/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em}
a:hover{color:var(--accent-strong);text-decoration-thickness:.12em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.3rem}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--card);padding:.6rem 1rem;border-radius:.5rem;z-index:1}
.skip:focus{top:1rem}
header{padding:clamp(1.25rem,5vh,3.5rem) 1.25rem 1.25rem;text-align:center}
.brand{display:inline-flex;align-items:center;gap:.55rem;color:var(--ink);font-weight:650;letter-spacing:-.01em;font-size:1.1rem;text-decoration:none}
.brand:hover{color:var(--ink)}
.brand svg{width:1.6rem;height:1.6rem;color:var(--accent)}
main{flex:1;width:100%;max-width:27rem;margin:0 auto;padding:0 1rem 2rem}
main.wide{max-width:46rem}
main:focus{outline:none}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:var(--shadow);padding:clamp(1.35rem,5vw,2.1rem)}
.card+.card{margin-top:1.25rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.02em;font-weight:680;margin:0 0 .4rem;text-wrap:balance}
.card>:last-child,.note>:last-child{margin-bottom:0}
h1+.facts,h1+.person,h1+form,h1+.note{margin-top:1.1rem}
h2{font-size:1.1rem;line-height:1.3;letter-spacing:-.01em;font-weight:650;margin:0 0 .3rem}
h3{font-size:1rem;margin:0;font-weight:620}
p{margin:0 0 1rem}
.lead{color:var(--soft);margin-bottom:1.4rem}
.lead:has(+.can){margin-bottom:.5rem}
.soft{color:var(--soft)}
.small{font-size:.9rem}
form{margin:0}
[hidden]{display:none!important}
.fault:empty{display:none}
.field{margin:0 0 1.1rem}
label,.label{display:block;font-weight:600;font-size:.94rem;margin-bottom:.35rem}
.hint{color:var(--soft);font-size:.875rem;margin:.35rem 0 0}
.fault{color:var(--bad);font-size:.9rem;font-weight:550;margin:.4rem 0 0}
input{width:100%;min-height:3rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:.6rem;padding:.6rem .8rem}
input:hover{border-color:var(--soft)}
input:focus-visible{border-color:var(--accent);outline:3px solid var(--accent);outline-offset:1px;border-radius:.6rem}
input[aria-invalid=true]{border-color:var(--bad);border-width:2px;padding:calc(.6rem - 1px) calc(.8rem - 1px)}
fieldset{border:0;padding:0;min-width:0}
.check{display:flex;gap:.75rem;padding:.45rem 0}
.check input{flex:none;width:1.35rem;min-height:1.35rem;height:1.35rem;margin:.1rem 0 0;accent-color:var(--accent)}
.check label{margin:0;font-weight:550}
.check .hint{margin:0}
.secret{display:block;background:var(--tint);border-radius:.7rem;padding:1rem;margin:0 0 1.1rem;user-select:all}
.codes{columns:14rem;list-style:none;background:var(--tint);border-radius:.7rem;padding:1rem;margin:0 0 1.1rem}
.codes li{padding:.2rem 0;white-space:nowrap}
.qr{display:block;width:14rem;max-width:100%;height:auto;background:#fff;border-radius:.7rem;padding:.6rem;margin:0 0 1.1rem}
.or{border-top:1px solid var(--line);margin-top:1.3rem;padding-top:1.3rem}
.prefixed{position:relative}
.prefixed span{position:absolute;left:.85rem;top:0;line-height:3rem;color:var(--soft)}
.prefixed input{padding-left:1.95rem}
input.code{font:600 1.4rem/1.2 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.12em;text-align:center;text-transform:uppercase}
button,.button{display:flex;align-items:center;justify-content:center;gap:.5rem;width:100%;min-height:3rem;font:inherit;font-weight:620;text-align:center;text-decoration:none;cursor:pointer;
border-radius:.6rem;border:1px solid var(--edge);background:transparent;color:var(--ink);padding:.6rem 1.1rem}
button:hover,.button:hover{border-color:var(--ink);color:var(--ink)}
.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.main:hover{background:var(--accent-strong);border-color:var(--accent-strong);color:var(--on-accent)}
.plain{border-color:transparent;color:var(--accent);font-weight:550}
.plain:hover{border-color:transparent;color:var(--accent-strong);text-decoration:underline}
.small-button{width:auto;min-height:2.5rem;padding:.3rem .9rem;font-size:.92rem}
.actions{display:grid;gap:.65rem;margin-top:1.5rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.65rem;margin-top:1.5rem}
.links{margin:1.25rem 0 0;padding-top:1.1rem;border-top:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;justify-content:space-between;font-size:.94rem}
.links p{margin:0}
.note{border-radius:.7rem;padding:.8rem 1rem;margin:0 0 1.25rem;border:1px solid var(--line);font-size:.95rem}
.note p{margin:.3rem 0 0}
.note.bad{background:var(--bad-tint);border-color:var(--bad);color:var(--bad)}
.note.bad p{color:var(--ink)}
.note.good{background:var(--good-tint);border-color:var(--good);color:var(--good)}
.note.warn{background:var(--note-tint);border-color:transparent}
.note.warn strong{color:var(--note)}
.facts{margin:0 0 1.25rem;border:1px solid var(--line);border-radius:.7rem;overflow:hidden}
.can{margin:0 0 1.1rem;padding-left:1.2rem}
.can li{margin:.15rem 0}
.can ::marker{color:var(--accent)}
.facts div{display:grid;grid-template-columns:6.4rem 1fr;gap:.75rem;padding:.65rem 1rem}
.facts div+div{border-top:1px solid var(--line)}
.facts dt{color:var(--soft);font-size:.92rem}
.facts dd{margin:0;font-weight:550;min-width:0}
.line{display:block}
.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.93em}
.big-code{display:block;font:600 1.7rem/1.2 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.1em;text-align:center;background:var(--tint);border-radius:.7rem;padding:1rem;margin:0 0 1.25rem}
.person{display:flex;align-items:center;gap:.9rem;margin:0 0 .25rem;min-width:0}
.person .face{flex:none;width:2.75rem;height:2.75rem;border-radius:50%;background:var(--tint);color:var(--accent);display:grid;place-items:center;font-weight:680;font-size:1.1rem;text-transform:uppercase}
.person strong,.person span{display:block}
.rows{list-style:none;margin:1rem 0 0;padding:0}
.rows li{display:flex;align-items:center;gap:1rem;justify-content:space-between;padding:.9rem 0;border-top:1px solid var(--line)}
.rows li>div{min-width:0}
.rows li:last-child{padding-bottom:0}
.rows form{flex:none}
.rows p{margin-bottom:0}
.tag{display:inline-block;font-size:.78rem;font-weight:600;color:var(--accent);background:var(--tint);border-radius:1rem;padding:.05rem .6rem;margin-left:.35rem;vertical-align:.08em;white-space:nowrap}
.bar{display:flex;flex-wrap:wrap;gap:.65rem;margin-top:1.1rem}
.bar>*{width:auto}
footer{text-align:center;color:var(--soft);font-size:.875rem;padding:0 1rem 1.75rem}
@media (max-width:30rem){
.facts div{padding:.55rem .9rem;grid-template-columns:5.4rem 1fr}
.rows li{align-items:flex-start;flex-direction:column;gap:.6rem}
header{padding-top:1.5rem}}
@media (forced-colors:active){button,.button,input{border:1px solid ButtonText}}
@media (prefers-reduced-motion:no-preference){a,button,.button,input{transition:background-color .12s,border-color .12s,color .12s}}
@media print{.card{box-shadow:none}}
`;

export const stylesHash = `sha256-${createHash('sha256').update(styles).digest('base64')}`;
