! Calls of frb.f90 without an interface, as old programs make them: what is right, what is wrong and what is said of it.
! The module polhode has the same steps with a status. Stops with 1 if something is not as it should be.
program frb_calls
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use polhode
  implicit none
  external :: frb_step, quat_step, frb_step_gauss, quat_step_gauss, frb_message
  double precision, parameter :: aInert(3) = [1d0, 2d0, 3d0], general(3) = [0.36d0, 0.48d0, 0.8d0]
  double precision, parameter :: Piin(3) = [0d0, 0d0, 1d0], one(4) = [1d0, 0d0, 0d0, 0d0]
  double precision :: Qin(3, 3), Piout(3), Qout(3, 3), q4(4), Pi2(3), Qmatrix(3, 3), other(4)
  character(len=100) :: text
  character(len=9) :: short

  Qin = reshape([0d0, 1d0, 0d0, -1d0, 0d0, 0d0, 0d0, 0d0, 1d0], [3, 3])
  call frb_message(text)
  call expect(text == ' ', 'a message before an error')

  ! Spin about axis 3 by 0.6/3: the matrix turns by it about axis 3 of the body, which is that of space here.
  call frb_step(Piout, Qout, 0.6d0, aInert, Piin, Qin)
  Qmatrix = reshape([-sin(0.2d0), cos(0.2d0), 0d0, -cos(0.2d0), -sin(0.2d0), 0d0, 0d0, 0d0, 1d0], [3, 3])
  call expect(maxval(abs(Piout - Piin)) < 1d-16, 'frb_step: momentum')
  call expect(maxval(abs(Qout - Qmatrix)) < 2d-16, 'frb_step: attitude')
  call quat_step(Piout, q4, 0.6d0, aInert, Piin, one)
  call expect(maxval(abs(Piout - Piin)) < 1d-16, 'quat_step: momentum')
  call expect(maxval(abs(q4 - [cos(0.1d0), 0d0, 0d0, sin(0.1d0)])) < 2d-16, 'quat_step: attitude')

  ! The module has the same bits, and 0 nodes are the exact step.
  call frb_step(Piout, Qout, 0.6d0, aInert, general, Qin)
  call expect(polhode_frb_step(Pi2, Qmatrix, 0.6d0, aInert, general, Qin, 0) == polhode_ok, 'polhode_frb_step')
  call expect(maxval(abs(Pi2 - Piout)) <= 0 .and. maxval(abs(Qmatrix - Qout)) <= 0, 'polhode_frb_step: bits')
  call quat_step_gauss(Piout, q4, 0.6d0, aInert, general, one, 5)
  call expect(polhode_quat_step(Pi2, other, 0.6d0, aInert, general, one, 5) == polhode_ok, 'polhode_quat_step')
  call expect(maxval(abs(Pi2 - Piout)) <= 0 .and. maxval(abs(other - q4)) <= 0, 'polhode_quat_step: bits')
  call frb_message(text)
  call expect(text == ' ', 'a message without an error')

  ! NaN, and a sentence, or what there is room for.
  call frb_step_gauss(Piout, Qout, 0.6d0, aInert, Piin, Qin, 11)
  call expect(all(ieee_is_nan(Piout)) .and. all(ieee_is_nan(Qout)), 'frb_step_gauss: NaN')
  call frb_message(text)
  call expect(text == 'the number of Gauss nodes must be 0 (exact) to 10', 'frb_step_gauss: '//text)
  call quat_step(Piout, q4, 0.6d0, -aInert, Piin, one)
  call expect(all(ieee_is_nan(Piout)) .and. all(ieee_is_nan(q4)), 'quat_step: NaN')
  call frb_message(text)
  call expect(text == 'a moment of inertia is not positive', 'quat_step: '//text)
  call frb_message(short)
  call expect(short == 'a moment ', 'a short text: '//short)
  call expect(polhode_frb_step(Pi2, Qmatrix, 0.6d0, -aInert, general, Qin, 0) == polhode_invalid_argument, 'status')

contains

  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    print '(2a)', 'wrong: ', trim(what)
    stop 1
  end subroutine

end program frb_calls
