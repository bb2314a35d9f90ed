import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import './app/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { watchAttendance } from './app/attendance.ts'
import { startMessages } from './app/i18n.ts'
import { startSession } from './app/session.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
startMessages()
startSession()
watchAttendance(window)
createRoot(root).render(<App />)
