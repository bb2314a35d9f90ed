import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import './app/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { takeHighlightedOption } from './platform/highlighted-option.ts'
import { startMessages } from './platform/i18n.ts'
import { restoreLostFocus } from './platform/lost-focus.ts'
import { startSession } from './platform/session.ts'
import { trackUserActivity } from './platform/user-activity.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
startMessages()
startSession()
trackUserActivity(window)
restoreLostFocus()
takeHighlightedOption()
createRoot(root).render(<App />)
