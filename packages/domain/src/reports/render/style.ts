import { createHash } from 'node:crypto'

export const style = `
:root{color-scheme:light;--line:#d5d9de;--dim:#5a6470;--bad:#b42318;--good:#1a7f37}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1100px;padding:32px 24px;background:#fff;color:#1c2128;font:15px/1.5 system-ui,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
h1{font-size:26px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:19px;margin:32px 0 8px;border-bottom:2px solid var(--line);padding-bottom:4px}
h3{font-size:15px;margin:18px 0 6px}
p{margin:0 0 8px;max-width:80ch}
.dim{color:var(--dim)}
ul{margin:0 0 8px;padding-left:22px}
li{overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(110px,max-content) 1fr;gap:4px 20px;margin:12px 0}
dt{color:var(--dim)}
dd{margin:0;overflow-wrap:anywhere}
.verdict{border:1px solid var(--line);border-left:6px solid var(--dim);border-radius:6px;padding:12px 16px;margin:16px 0;break-inside:avoid}
.verdict.bad{border-left-color:var(--bad)}
.verdict.good{border-left-color:var(--good)}
.verdict p:last-child{margin:0}
.verdict p{font-size:16px}
table{border-collapse:collapse;width:100%;font-size:13px;table-layout:fixed}
th,td{text-align:left;vertical-align:top;padding:5px 8px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{color:var(--dim);font-weight:600}
thead{display:table-header-group}
tr{break-inside:avoid}
.flag{color:var(--bad);font-weight:600}
code{font:12px/1.45 ui-monospace,"Liberation Mono",Menlo,monospace;unicode-bidi:isolate;overflow-wrap:anywhere}
figure{margin:12px 0;break-inside:avoid}
figure img{max-width:100%;max-height:720px;border:1px solid var(--line)}
figcaption{font-size:12px;color:var(--dim);overflow-wrap:anywhere}
@media (max-width:640px){body{padding:20px 14px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}table,tbody,tr,td{display:block}thead{display:none}tr{border-bottom:1px solid var(--line);padding:6px 0}td{border:0;padding:2px 0}td[data-label]::before{content:attr(data-label) ": ";color:var(--dim)}}
@page{size:A4;margin:18mm 14mm 20mm;@bottom-right{content:counter(page) " / " counter(pages);font:9px sans-serif;color:#5a6470}}
@media print{body{max-width:none;padding:0;font-size:10.5pt}table{font-size:8.5pt}code{font-size:8pt}h2{break-after:avoid}h3{break-after:avoid}figure img{max-height:190mm}}
`

/** Nothing is loaded, and no script runs; the only style is this one. */
export const contentPolicy = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
