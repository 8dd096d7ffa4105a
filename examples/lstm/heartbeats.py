# SPDX-License-Identifier: MIT
"""ECG recordings that are drawn from random numbers: a sum of bell-shaped waves for each beat, as in textbooks."""
import numpy as np

RATE = 128  # samples a second
FRAME = 4  # samples of a frame

# Waves of a beat: seconds after its R peak, height in millivolts, width in seconds.
NORMAL = ((-0.17, 0.15, 0.025), (-0.03, -0.12, 0.010), (0.0, 1.0, 0.011), (0.03, -0.20, 0.011), (0.26, 0.30, 0.045))
# A premature ventricular beat: no P wave, a wide and high QRS complex, an inverted T wave.
ABNORMAL = ((0.0, 1.15, 0.040), (0.10, -0.45, 0.040), (0.32, -0.35, 0.060))
SHARE = 0.25  # of beats that are abnormal
FIRST, LAST = 0.05, 0.30  # seconds after its peak in which an abnormal beat counts


def recording(random, frames):
    """Returns samples, [frames * FRAME], and whether each frame belongs to an abnormal beat, [frames]."""
    time = np.arange(frames * FRAME) / RATE
    middles = (np.arange(frames) + 0.5) * FRAME / RATE
    ecg, labels = np.zeros(len(time)), np.zeros(frames)
    interval, height = random.uniform(0.65, 1.0), random.uniform(0.8, 1.2)
    peak = random.uniform(-0.5, 0.3)
    while peak < time[-1] + 0.5:
        abnormal = random.random() < SHARE
        early = 0.3 * interval if abnormal else 0  # the next beat comes in its usual time
        for delay, wave, width in ABNORMAL if abnormal else NORMAL:
            size = height * wave * random.uniform(0.85, 1.15)
            ecg += size * np.exp(-0.5 * ((time - (peak - early) - delay) / (width * random.uniform(0.9, 1.1))) ** 2)
        if abnormal:
            labels[(middles > peak - early + FIRST) & (middles < peak - early + LAST)] = 1
        peak += interval * random.uniform(0.93, 1.07)
    # Breathing moves the line, mains hum and noise of muscles lie on it.
    ecg += 0.12 * np.sin(2 * np.pi * (random.uniform(0.15, 0.35) * time + random.random()))
    ecg += 0.02 * np.sin(2 * np.pi * (50 * time + random.random())) + random.normal(0, 0.04, len(time))
    return ecg, labels


def recordings(random, count, frames):
    """Returns frames, [frames][count][FRAME], and labels, [frames][count]."""
    made = [recording(random, frames) for _ in range(count)]
    ecg = np.stack([samples.reshape(frames, FRAME) for samples, _ in made], axis=1)
    return ecg.astype(np.float32), np.stack([labels for _, labels in made], axis=1)
