document.querySelector('[data-host]').textContent = location.hostname
